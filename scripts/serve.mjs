// Starts the program that the build made (src/app/main.ts), after install and build by scripts/start.mjs. Plain JavaScript for
// old Nodes, like setup.mjs: it says which one is wanted before anything newer is read.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const refuse = (text) => {
  process.stderr.write(`perrario · ${text}\n`)
  process.exit(1)
}

const [major] = process.versions.node.split('.').map(Number)
if (major < 24)
  refuse(
    `el sitio necesita el Node 24 del proyecto (este es ${process.versions.node}): arranca con npm start, o con node_modules/node/bin/node.`,
  )

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist')
// Before the database is touched: a build that is broken must not migrate it.
try {
  for (const file of ['csp.json', 'files.json']) {
    const known = JSON.parse(readFileSync(join(dist, file), 'utf8'))
    if (Object.keys(known).length === 0) throw new Error(`${file} says nothing`)
  }
  for (const file of ['main.mjs', 'map-worker.mjs', 'decoder.mjs']) readFileSync(join(dist, 'server', file))
} catch {
  refuse('el sitio no está construido o quedó a medias: borra la carpeta dist y repite npm start.')
}
// React as a package is its slow development half unless told otherwise: cards render four times as fast. To be said before
// anything is imported.
process.env.NODE_ENV ??= 'production'
await import(pathToFileURL(join(dist, 'server/main.mjs')).href)
