import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import vitePwa from '@vite-pwa/astro'
import type { AstroIntegration } from 'astro'
import { build } from 'vite'
import { manifest } from '../features/pwa/manifest.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const WORKER_DIR = join(root, 'src/features/pwa/worker')

/** Half a megabyte that only an HEIC photo in other browsers than Safari needs (docs/adr/0011-heic-is-converted-in-the-browser.md). */
const NEVER_PRECACHED = /heic-to/

const matchAttributes = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, value = '']) => value)

/** The files at `urls` and all scripts, styles and pictures that they reference, directly or not, by `pattern`. */
function collectImports(client: string, urls: string[], pattern: RegExp): string[] {
  const found = new Set<string>()
  const visit = (url: string) => {
    if (found.has(url) || NEVER_PRECACHED.test(url) || !existsSync(join(client, url))) return
    found.add(url)
    if (!url.endsWith('.js')) return
    for (const match of readFileSync(join(client, url), 'utf8').matchAll(pattern))
      visit(match[0].startsWith('/') ? match[0] : `/_astro/${match[1] ?? match[2]}`)
  }
  urls.forEach(visit)
  return [...found]
}

/** Static imports and the page's side of the worker; and references of any kind. */
const STATIC_IMPORT = /(?:from|import)\s*["'`]\.\/([\w.~-]+\.js)["'`]|\.\/(pwa\.client\.[\w-]+\.js)/g
const ANY_REFERENCE = /\.\/([\w.~-]+\.js)\b|\/_astro\/[\w.~-]+\.(?:css|svg|woff2|js)/g

/** The built pages of the offline page and of the form of a sighting, by address. */
const OFFLINE_PAGES: Readonly<Record<string, string>> = {
  '/sin-conexion': 'sin-conexion/index.html',
  '/sin-conexion/visto': 'sin-conexion/visto/index.html',
}
const fileOf = (client: string, url: string) => join(client, OFFLINE_PAGES[url] ?? url)
const linkedBy = (html: string) => matchAttributes(html, /(?:href|src)="(\/_astro\/[^"]+)"/g)

/** The files of the offline page, of the dog form and of the form of a sighting, read from the built pages. */
function collectPrecachedUrls(client: string) {
  const read = (url: string) => readFileSync(fileOf(client, url), 'utf8')
  const html = read('/sin-conexion')
  const linked = linkedBy(html)
  const base = [
    '/sin-conexion',
    ...collectImports(client, linked, STATIC_IMPORT),
    '/favicon.svg',
    '/placeholder.svg',
    '/icon-192.png',
    '/manifest.webmanifest',
  ]
  const islands = matchAttributes(html, /(?:component|renderer)-url="(\/_astro\/[^"]+)"/g)
  // The page's side of the worker loads the queue of unsent dogs.
  const later = base.filter((url) => /pwa\.client/.test(url))
  const ofSighting = linkedBy(read('/sin-conexion/visto'))
  const form = collectImports(client, [...islands, ...later, ...ofSighting, '/zonas.json'], ANY_REFERENCE)
  return { base, form: ['/sin-conexion/visto', ...form].filter((url) => !base.includes(url)) }
}

/** A version that changes with every file that browsers load: hashed names change themselves, the others are hashed here. */
function hashVersion(client: string, base: string[]): string {
  const sum = createHash('sha256').update(readdirSync(join(client, '_astro')).sort().join('\n'))
  for (const url of new Set([...base, ...Object.keys(OFFLINE_PAGES)])) sum.update(readFileSync(fileOf(client, url)))
  return sum.digest('hex').slice(0, 12)
}

/** Bundles the worker that replaces a bad one: the integration builds only one worker. */
async function bundleRetiredWorker(client: string): Promise<void> {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: join(WORKER_DIR, 'retired.client.ts'), output: { format: 'iife' } },
    },
  })
  const [output] = [result].flat()
  if (!output || !('output' in output)) throw new Error('retired.client.ts was not built')
  writeFileSync(join(client, 'sw-retirado.js'), output.output[0].code)
}

/** The worker's precache manifest (`self.__WB_MANIFEST`), from the files of the finished build. */
function buildPrecacheManifest(client: string): PrecacheEntry[] {
  const { base, form } = collectPrecachedUrls(client)
  const version = hashVersion(client, base)
  const entry = (url: string, isForm: boolean): PrecacheEntry => ({
    url,
    revision: version,
    isForm,
    size: statSync(fileOf(client, url)).size,
  })
  return [...base.map((url) => entry(url, false)), ...form.map((url) => entry(url, true))]
}
interface PrecacheEntry {
  url: string
  revision: string
  isForm: boolean
  size: number
}

/**
 * The installable app: `@vite-pwa/astro` writes `/manifest.webmanifest` and builds `/sw.js` from our own worker; the worker that
 * retires it is bundled separately.
 */
export const pwa = (): AstroIntegration[] => {
  const client = join(root, 'dist/client')
  return [
    vitePwa({
      strategies: 'injectManifest',
      srcDir: 'src/features/pwa/worker',
      filename: 'worker.client.ts',
      // Registered by layouts/pwa.client.ts; features/pwa/pwa.client.ts reloads pages only without unsaved input.
      injectRegister: null,
      manifest,
      injectManifest: {
        rollupFormat: 'iife',
        target: 'es2022',
        minify: true,
        swDest: join(client, 'sw.js'),
        // buildPrecacheManifest lists the files; globs would match the whole site.
        globPatterns: ['sin-conexion/index.html'],
        manifestTransforms: [() => ({ manifest: buildPrecacheManifest(client), warnings: [] })],
      },
      integration: {
        configureCustomSWViteBuild: ({ build: options }) => {
          const output = options?.rollupOptions?.output
          if (output && !Array.isArray(output)) output.entryFileNames = 'sw.js'
        },
      },
    }),
    { name: 'perrario:retired-worker', hooks: { 'astro:build:done': () => bundleRetiredWorker(client) } },
  ]
}
