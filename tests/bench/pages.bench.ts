/**
 * Every list and page with 1,000 and 100,000 dogs: whole time of a request on loopback, one at a time, turn about between the communities;
 * then start-up, memory and the database's bytes, on PostgreSQL by table, with what a write adds to its log. The first run fills the
 * communities, `.cache/bench` keeps them (a million dogs: minutes, 3.5 GB).
 * BENCH_DOGS=1000,1000000 names other sizes, BENCH_DATABASES=postgres the other database, BENCH_ROUNDS how often each address is asked.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#db/client.ts'
import type { TestServer } from '#tests/support/server.ts'
import { prepareCommunity } from '#tests/support/community/filled-data-dirs.ts'
import { listAddresses, type AddressLists } from './lib/list-addresses.ts'
import { getPage } from './lib/load.ts'
import { measureTables } from './lib/postgres-bytes.ts'
import { copyToPostgres } from './lib/world.ts'
import { percentilesOf, peakMB, residentMB, printTable } from '#tests/support/load/measure.ts'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'

const COUNTS = (process.env.BENCH_DOGS ?? '1000,100000').split(',').map(Number)
const isPostgres = process.env.BENCH_DATABASES === 'postgres'
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 120)
const WARMUP_ROUNDS = 10

interface Community {
  count: number
  server: TestServer
  lists: AddressLists
  startUp: number
  fileMB: number
  residentAtStart: number
}

const communities: Community[] = []
for (const count of COUNTS) communities.push(await openCommunity(count))

const rows: (string | number)[][] = []
const slowedAddresses: string[] = []
for (const name of Object.keys(communities[0]!.lists)) {
  const all = communities.map((): number[] => [])
  for (const n of communities[0]!.lists[name]!.keys()) {
    const one = communities.map((): number[] => [])
    for (let round = -WARMUP_ROUNDS; round < ROUNDS; round++)
      for (const [i, { server, lists }] of communities.entries()) {
        const start = performance.now()
        await getPage(server.url + lists[name]![n]!)
        if (round >= 0) one[i]!.push(performance.now() - start)
      }
    one.forEach((times, i) => all[i]!.push(...times))
    const [small, large] = [percentilesOf(one[0]!), percentilesOf(one.at(-1)!)]
    if (large.median / small.median > 2 || large.p99 / small.p99 > 2)
      slowedAddresses.push(
        `- ${communities.at(-1)!.lists[name]![n]}: median ${small.median.toFixed(1)} → ${large.median.toFixed(1)}, p99 ${small.p99.toFixed(1)} → ${large.p99.toFixed(1)}`,
      )
  }
  const each = all.map(percentilesOf)
  const [small, large] = [each[0]!, each.at(-1)!]
  const cells = each.flatMap(({ median, p99 }) => [median, p99])
  rows.push([name, ...cells, (large.median / small.median).toFixed(2), (large.p99 / small.p99).toFixed(2)])
}
const columns = COUNTS.flatMap((count) => [`${count.toLocaleString('en')}: median ms`, 'p99'])
printTable(['', ...columns, 'ratio of medians', 'of p99'], rows)
console.log(`\nAddresses past 2x:\n${slowedAddresses.join('\n') || 'none'}\n`)

const processRows: (string | number)[][] = []
for (const { count, server, startUp, fileMB, residentAtStart } of communities)
  processRows.push([
    count.toLocaleString('en'),
    fileMB.toFixed(0),
    startUp.toFixed(0),
    residentAtStart.toFixed(0),
    (await residentMB(server.pid())).toFixed(0),
    (await peakMB(server.pid())).toFixed(0),
  ])
printTable(
  ['dogs', 'database MB', 'spawn to first 200, ms', 'memory then, MB', 'after all lists and the map', 'at most'],
  processRows,
)
for (const { server } of communities) await server.stop()

/** A server over a kept community, started three times for the time it takes. */
async function openCommunity(count: number): Promise<Community> {
  const dataDir = await prepareCommunity(count)
  const file = join(dataDir, 'perrario.db')
  const source = openDatabase(file)
  const lists = await listAddresses(source)
  const copy = isPostgres ? await copyToPostgres(source) : undefined
  await source.destroy()
  const bytes = copy ? await measureTables(copy.db, count) : statSync(file).size
  await copy?.db.destroy()
  const server = await startMeasuredServer({
    DATA_DIR: dataDir,
    PAGE_CACHE: 'off',
    ...(copy && { DATABASE_URL: copy.url }),
  })
  const starts: number[] = []
  for (let i = 0; i < 3; i++) {
    await server.stop()
    const start = performance.now()
    await server.restart()
    await getPage(`${server.url}/perros`)
    starts.push(performance.now() - start)
  }
  const residentAtStart = await residentMB(server.pid())
  return { count, server, lists, startUp: percentilesOf(starts).median, fileMB: bytes / 1e6, residentAtStart }
}
