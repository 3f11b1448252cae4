import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as z from 'zod/mini'

const root = resolve(import.meta.dirname, '../..')

/** An endpoint of the API, as the files of src/pages name and export it. */
export interface ApiEndpoint {
  method: string
  /** With the file's own brackets: `/api/dogs/[id]/like`. */
  path: string
  /** What `endpoint` was given; undefined for a handler that is none. */
  answers: Readonly<Record<number, z.ZodMiniType | string | null>> | undefined
  /** The comment above its handler; empty without one. */
  comment: string
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'ALL']

/** Reads every endpoint of src/pages/api, and /healthz, from the modules themselves. Pages among them are left out. */
export async function readApiEndpoints(): Promise<ApiEndpoint[]> {
  const files = readdirSync(join(root, 'src/pages/api'), { recursive: true, encoding: 'utf8' })
    .map((name) => `src/pages/api/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts'))
  const endpoints: ApiEndpoint[] = []
  for (const file of [...files.sort(), 'src/pages/healthz.ts', 'src/pages/healthz/live.ts']) {
    const module: Record<string, { answers?: ApiEndpoint['answers'] }> = await import(
      pathToFileURL(join(root, file)).href
    )
    const path = file.slice('src/pages'.length).replace(/(\/index)?\.ts$/, '')
    for (const method of METHODS.filter((name) => name in module))
      endpoints.push({ method, path, answers: module[method]!.answers, comment: readComment(file, method) })
  }
  return endpoints.sort((a, b) => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1))
}

/** The comment above the handler that `file` exports as `method`, on one line. */
function readComment(file: string, method: string): string {
  const page = readFileSync(join(root, file), 'utf8')
  const exported = new RegExp(`\\{[^}]*?(\\w+) as ${method}\\b[^}]*\\} from '#features/([^']+)'`).exec(page)
  const source = exported ? readFileSync(join(root, 'src/features', exported[2]!), 'utf8') : page
  const comment = new RegExp(String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\nexport const ${exported?.[1] ?? method}\b`).exec(
    source,
  )?.[1]
  return (comment ?? '')
    .replace(/^\s*\* ?/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
