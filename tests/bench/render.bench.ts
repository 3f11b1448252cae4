/**
 * What a page costs that nobody has kept: milliseconds of the server's processor for one answer of the real server without a
 * page cache, and how many statements it runs. To reach (issue 6): an uncached dog's page at least four times the rate of
 * bench/peer, which `throughput` measures.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'
import { cpuSeconds, printTable, STATEMENTS_PER_SCRAPE } from '#tests/support/load/measure.ts'
import { createBenchWorld } from './lib/signed-in-members.ts'

const WARMUP_REQUESTS = 300
const ROUNDS = 5
const PAGES_PER_ROUND = 200
const TOKEN = 'bench-render-token'

const dataDir = mkdtempSync(join(tmpdir(), 'perrario-bench-render-'))
const { dogs, cookies } = await createBenchWorld(dataDir, 1000, 1)
const server = await startMeasuredServer({
  DATA_DIR: dataDir,
  PAGE_CACHE: 'off',
  METRICS_TOKEN: TOKEN,
})

/** Statements sent so far. */
async function countStatements(): Promise<number> {
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  return Number(/^perrario_database_statements_total (\d+)/m.exec(await answer.text())?.[1])
}

async function fetchPage(path: string, cookie: string | undefined): Promise<number> {
  const answer = await fetch(server.url + path, { headers: cookie ? { cookie } : {} })
  if (answer.status !== 200) throw new Error(`${answer.status} ${path}`)
  return (await answer.arrayBuffer()).byteLength
}

const breed = dogs[0]!.path.split('/')[1]!
const TEMPLATES: Record<string, (n: number) => string> = {
  'a dog': (n) => dogs[n % 100]!.path,
  'a breed': () => `/razas/${breed}`,
  'list, `/perros`': () => '/perros',
  'community, `/comunidad`': () => '/comunidad',
  'album, `/razas`': () => '/razas',
}

async function measureCost(pathOf: (n: number) => string, cookie: string | undefined) {
  for (let n = 0; n < WARMUP_REQUESTS; n++) await fetchPage(pathOf(n), cookie)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = await cpuSeconds(server.pid())
    for (let n = 0; n < PAGES_PER_ROUND; n++) await fetchPage(pathOf(n), cookie)
    times.push((((await cpuSeconds(server.pid())) - before) * 1000) / PAGES_PER_ROUND)
  }
  const before = await countStatements()
  const bytes = await fetchPage(pathOf(0), cookie)
  const statements = (await countStatements()) - before - STATEMENTS_PER_SCRAPE
  return { ms: times.toSorted((a, b) => a - b)[ROUNDS >> 1]!, statements, bytes }
}

const rows: (string | number)[][] = []
for (const [name, pathOf] of Object.entries(TEMPLATES)) {
  const visitor = await measureCost(pathOf, undefined)
  const member = await measureCost(pathOf, cookies[0])
  const both = (key: 'ms' | 'statements') => [visitor, member].map((one) => one[key].toFixed(key === 'ms' ? 2 : 0))
  rows.push([name, ...both('ms'), ...both('statements'), (visitor.bytes / 1000).toFixed(1)])
}
printTable(['', 'visitor, ms', 'member, ms', 'statements, visitor', 'member', 'kB'], rows)
await server.stop()
rmSync(dataDir, { recursive: true, force: true })
