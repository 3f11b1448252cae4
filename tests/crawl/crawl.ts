/**
 * Walks through the demo of 400 dogs (or a site that runs already) by its plain links, and prints what a search engine would hold
 * against it. Ends with 1 where anything is wrong. See scripts/crawl.mjs.
 */
import { join } from 'node:path'
import { openDatabase } from '#db/client.ts'
import { prepareDemo } from '#tests/support/community/filled-data-dirs.ts'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'
import { buildReport } from './report.ts'
import { readSitemap } from './sitemap.ts'
import { walk } from './walk.ts'
import { expectedAddresses } from './expected-addresses.ts'

/** How many faults of a kind are printed. */
const FAULTS_PRINTED = 12

const [given] = process.argv.slice(2)
const demo = given ? null : await startDemoServer()
const origin = given?.replace(/\/$/, '') ?? demo!.origin
const start = performance.now()
const walked = await walk(origin)
const seconds = (performance.now() - start) / 1000
const listed = await readSitemap(origin)
const { figures, faults } = await buildReport(origin, walked, { expected: demo?.wanted ?? listed, listed })
await demo?.stop()

console.log(`${origin}, walked in ${seconds.toFixed(0)} s`)
for (const [what, count] of Object.entries(figures)) console.log(`${String(count).padStart(7)}  ${what}`)
console.log()
for (const [what, found] of Object.entries(faults)) {
  console.log(`${String(found.length).padStart(7)}  ${what}`)
  for (const one of found.slice(0, FAULTS_PRINTED)) console.log(`           ${one}`)
}
process.exit(Object.values(faults).some((found) => found.length > 0) ? 1 : 0)

async function startDemoServer() {
  const dataDir = await prepareDemo()
  const db = openDatabase(join(dataDir, 'perrario.db'))
  const wanted = await expectedAddresses(db)
  await db.destroy()
  const env: Record<string, string> = { DATA_DIR: dataDir }
  const server = await startMeasuredServer(env)
  // A site knows its address: sitemaps and canonical links are written with it, and its port is free only now.
  env.SITE_URL = server.url
  await server.restart()
  return { origin: server.url, wanted, stop: () => server.stop() }
}
