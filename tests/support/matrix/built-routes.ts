import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { workerRewrite } from '#features/pwa/worker-file.server.ts'
import { listFiles } from '#tests/support/sources.ts'

// What the built server answers, read off the build: what Astro, its adapter and integrations add is found here.

const dist = resolve(import.meta.dirname, '../../../dist')

interface BuiltRoute {
  routeData: { route: string; type: string; origin: string; prerender: boolean }
}

/** The routes of Astro's manifest as it stands in `dist`, prerendered ones included. */
export function readBuiltRoutes(): BuiltRoute['routeData'][] {
  const server = resolve(dist, 'server')
  const manifest = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => /deserializeManifest\((\{.*\})\);$/m.exec(readFileSync(resolve(server, name), 'utf8'))?.[1])
    .find((found) => found !== undefined)
  if (!manifest) throw new Error('Where does the build keep its manifest?')
  return (JSON.parse(manifest) as { routes: BuiltRoute[] }).routes.map(({ routeData }) => routeData)
}

/** The addresses of the build's files, without those that lie in `public` and so are known to be ours; moved ones as served. */
export function readBuiltFiles(): string[] {
  const ours = new Set(listFiles(['public'], ['']).map((path) => path.replace('public', '')))
  const rows = JSON.parse(readFileSync(resolve(dist, 'files.json'), 'utf8')) as Record<string, unknown>
  return Object.keys(rows)
    .filter((path) => !ours.has(path))
    .map((path) => (path === workerRewrite(true).from ? workerRewrite(true).path : path.replace(/\/index\.html$/, '')))
}

/** Whether `route` (as a file under src/pages spells it) takes `path`. */
export function isMatchedBy(route: string, path: string): boolean {
  const pattern = route
    .split(/(\[[^\]]+\])/)
    .map((part) => (part.startsWith('[...') ? '.*' : part.startsWith('[') ? '[^/]+' : part.replaceAll('.', '\\.')))
    .join('')
  return new RegExp(`^${pattern}$`).test(path)
}
