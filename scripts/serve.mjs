// Starts the built program (src/app/main.ts), after scripts/start.mjs has installed and built. Plain JavaScript for old Nodes,
// like setup.mjs: it prints the required version before it imports anything newer.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const exitWithError = (text) => {
  process.stderr.write(`perrario · ${text}\n`)
  process.exit(1)
}

const [major] = process.versions.node.split('.').map(Number)
if (major < 24)
  exitWithError(
    `el sitio necesita el Node 24 del proyecto (este es ${process.versions.node}): arranca con npm start, o con node_modules/node/bin/node.`,
  )

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist')
// Before the database is opened: a broken build must not migrate it.
try {
  for (const file of ['csp.json', 'files.json']) {
    const entries = JSON.parse(readFileSync(join(dist, file), 'utf8'))
    if (Object.keys(entries).length === 0) throw new Error(`${file} is empty`)
  }
  for (const file of ['main.mjs', 'map-worker.mjs', 'decoder.mjs']) readFileSync(join(dist, 'server', file))
} catch {
  exitWithError('el sitio no está construido o quedó a medias: borra la carpeta dist y repite npm start.')
}
// The React package loads its development build unless NODE_ENV says production, in which cards render four times as fast. It is
// set before any import.
process.env.NODE_ENV ??= 'production'
await import(pathToFileURL(join(dist, 'server/main.mjs')).href)
