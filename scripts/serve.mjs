// Starts the program that `astro build` made (src/app/main.ts), after install and build by scripts/start.mjs.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const dist = resolve(import.meta.dirname, '../dist')
const entry = resolve(dist, 'server/main.mjs')
if (![entry, resolve(dist, 'csp.json'), resolve(dist, 'files.json')].every((file) => existsSync(file))) {
  process.stderr.write('perrario · el sitio no está construido o quedó a medias: repite npm start.\n')
  process.exit(1)
}
// React as a package is its slow development half unless told otherwise: cards render four times as fast. To be said before
// anything is imported.
process.env.NODE_ENV ??= 'production'
await import(pathToFileURL(entry).href)
