/**
 * What a page costs that nobody has kept: milliseconds of the server's processor for one answer of the real server without a
 * page cache, and how many statements it runs. To reach (issue 6): an uncached dog's page at least four times the rate of
 * bench/peer, which `throughput` measures.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMeasured } from './lib/server.ts'
import { processorSeconds, table } from './lib/measure.ts'
import { worldOf } from './lib/members.ts'

const WARM = 300
const ROUNDS = 5
const PAGES = 200
const TOKEN = 'bench-render-token'

const dataDir = mkdtempSync(join(tmpdir(), 'perrario-bench-render-'))
const { dogs, cookies } = await worldOf(dataDir, 1000, 1)
const server = await startMeasured({
  DATA_DIR: dataDir,
  PAGE_CACHE: 'off',
  METRICS_TOKEN: TOKEN,
})

/** Statements sent so far. */
async function statements(): Promise<number> {
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  return Number(/^perrario_database_statements_total (\d+)/m.exec(await answer.text())?.[1])
}

async function read(path: string, cookie: string | undefined): Promise<number> {
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

async function cost(pathOf: (n: number) => string, cookie: string | undefined) {
  for (let n = 0; n < WARM; n++) await read(pathOf(n), cookie)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = await processorSeconds(server.pid())
    for (let n = 0; n < PAGES; n++) await read(pathOf(n), cookie)
    times.push((((await processorSeconds(server.pid())) - before) * 1000) / PAGES)
  }
  const before = await statements()
  const bytes = await read(pathOf(0), cookie)
  return { ms: times.toSorted((a, b) => a - b)[ROUNDS >> 1]!, statements: (await statements()) - before, bytes }
}

const rows: (string | number)[][] = []
for (const [name, pathOf] of Object.entries(TEMPLATES)) {
  const visitor = await cost(pathOf, undefined)
  const member = await cost(pathOf, cookies[0])
  const both = (key: 'ms' | 'statements') => [visitor, member].map((one) => one[key].toFixed(key === 'ms' ? 2 : 0))
  rows.push([name, ...both('ms'), ...both('statements'), (visitor.bytes / 1000).toFixed(1)])
}
table(['', 'visitor, ms', 'member, ms', 'statements, visitor', 'member', 'kB'], rows)
await server.stop()
rmSync(dataDir, { recursive: true, force: true })
