/**
 * Every list and page with 1,000, 100,000 and 1,000,000 dogs: whole time of a request on loopback, one at a time, turn about
 * between the communities. To reach: p99 of every list at a million within 2x of a thousand; start-up under 3 s; file and
 * memory as they are. The first run fills the communities, which takes minutes; `.cache/bench` keeps them.
 * BENCH_DOGS=1000,100000 names other sizes.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#db/client.ts'
import type { TestServer } from '#tests/support/server.ts'
import { keptCommunity } from './lib/kept.ts'
import { listsOf, type Lists } from './lib/lists.ts'
import { ask } from './lib/load.ts'
import { figures, peakMB, residentMB, table } from './lib/measure.ts'
import { startMeasured } from './lib/server.ts'

const COUNTS = (process.env.BENCH_DOGS ?? '1000,100000,1000000').split(',').map(Number)
const ROUNDS = 120
const WARM = 10

interface Community {
  count: number
  server: TestServer
  lists: Lists
  startUp: number
  fileMB: number
  residentAtStart: number
}

const communities: Community[] = []
for (const count of COUNTS) communities.push(await open(count))

const rows: (string | number)[][] = []
const worse: string[] = []
for (const name of Object.keys(communities[0]!.lists)) {
  const all = communities.map((): number[] => [])
  for (const n of communities[0]!.lists[name]!.keys()) {
    const one = communities.map((): number[] => [])
    for (let round = -WARM; round < ROUNDS; round++)
      for (const [i, { server, lists }] of communities.entries()) {
        const start = performance.now()
        await ask(server.url + lists[name]![n]!, 'GET')
        if (round >= 0) one[i]!.push(performance.now() - start)
      }
    one.forEach((times, i) => all[i]!.push(...times))
    const [small, large] = [figures(one[0]!), figures(one.at(-1)!)]
    if (large.median / small.median > 2 || large.p99 / small.p99 > 2)
      worse.push(
        `- ${communities.at(-1)!.lists[name]![n]}: median ${small.median.toFixed(1)} → ${large.median.toFixed(1)}, p99 ${small.p99.toFixed(1)} → ${large.p99.toFixed(1)}`,
      )
  }
  const each = all.map(figures)
  const [small, large] = [each[0]!, each.at(-1)!]
  const cells = each.flatMap(({ median, p99 }) => [median, p99])
  rows.push([name, ...cells, (large.median / small.median).toFixed(2), (large.p99 / small.p99).toFixed(2)])
}
const columns = COUNTS.flatMap((count) => [`${count.toLocaleString('en')}: median ms`, 'p99'])
table(['', ...columns, 'ratio of medians', 'of p99'], rows)
console.log(`\nAddresses past 2x:\n${worse.join('\n') || 'none'}\n`)

const last: (string | number)[][] = []
for (const { count, server, startUp, fileMB, residentAtStart } of communities)
  last.push([
    count.toLocaleString('en'),
    fileMB.toFixed(0),
    startUp.toFixed(0),
    residentAtStart.toFixed(0),
    (await residentMB(server.pid())).toFixed(0),
    (await peakMB(server.pid())).toFixed(0),
  ])
table(['dogs', 'file MB', 'spawn to first 200, ms', 'memory then, MB', 'after all lists and the map', 'at most'], last)
for (const { server } of communities) await server.stop()

/** A server over a kept community, started three times for the time it takes. */
async function open(count: number): Promise<Community> {
  const dataDir = await keptCommunity(count)
  const file = join(dataDir, 'perrario.db')
  const db = openDatabase(file)
  const lists = await listsOf(db)
  await db.destroy()
  const server = await startMeasured({ DATA_DIR: dataDir, PAGE_CACHE: 'off' })
  const starts: number[] = []
  for (let i = 0; i < 3; i++) {
    await server.stop()
    const start = performance.now()
    await server.restart()
    await ask(`${server.url}/perros`, 'GET')
    starts.push(performance.now() - start)
  }
  const residentAtStart = await residentMB(server.pid())
  const startUp = starts.toSorted((a, b) => a - b)[1]!
  return { count, server, lists, startUp, fileMB: statSync(file).size / 1e6, residentAtStart }
}
