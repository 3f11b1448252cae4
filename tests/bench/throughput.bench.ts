/**
 * How many requests a second one process answers, and how long the slowest hundredth waits with 16 connections that ask
 * without pause: with and without the page cache, beside a bare `node:http` server that sends the same bytes (the limit) and
 * the dog's page in plain Next.js (the peer, bench/peer); then likes and uploads; then without the two at more dogs. To reach:
 * cached at least 80 % of bare, an uncached dog's page at least four times Next.js. BENCH_DOGS=1000 names other sizes.
 */
import { constants, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBareServer } from './lib/bare-server.ts'
import { prepareCommunity } from '#tests/support/community/filled-data-dirs.ts'
import { residentMB, printTable } from '#tests/support/load/measure.ts'
import { signInMembers } from './lib/signed-in-members.ts'
import { startNextServer } from './lib/next-server.ts'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'
import { type Contender, pinToCpu, measureInterleaved, type Measurement } from './lib/interleaved.ts'
import { benchWrites } from './lib/write-throughput.ts'

/** What browsers accept; without it the cache sends plain bytes, as Next.js then does. */
const COMPRESSED_HEADERS = { 'Accept-Encoding': 'gzip, deflate, br' }
const COUNTS = (process.env.BENCH_DOGS ?? '1000,100000,1000000').split(',').map(Number)

const percentOfBare = (part: number, whole: number) => `${Math.round((part / whole) * 100)} % of bare`
const timesNext = (part: number, whole: number) => `${(part / whole).toFixed(1)}x Next.js`

pinToCpu(process.pid, 1)
for (const [i, count] of COUNTS.entries()) await measure(count, i === 0)

async function measure(count: number, withOthers: boolean): Promise<void> {
  // A copy, since likes and uploads are written to it.
  const dataDir = mkdtempSync(join(tmpdir(), `perrario-bench-${count}-`))
  cpSync(await prepareCommunity(count), dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE })
  const world = await signInMembers(dataDir, 400)
  const dogs = world.dogs.slice(0, 100).map((dog) => dog.path)
  const cases: Record<string, string[]> = {
    'list, `/perros`': ['/perros'],
    'dog, 100 of them': dogs,
    'breed, 20 of them': [...new Set(dogs.map((path) => `/razas/${path.split('/')[1]}`))].slice(0, 20),
    'album, `/razas`': ['/razas'],
    'community, `/comunidad`': ['/comunidad'],
    'map, `/api/map`': ['5', '9', '12'].map((zoom) => `/api/map?bbox=-10,36,4,44&zoom=${zoom}`),
    'list, `/api/dogs`': ['/api/dogs'],
  }
  const server = await startMeasuredServer({ DATA_DIR: dataDir, TRUST_PROXY: '1', RENDERS_PER_MINUTE: '0' })
  const uncached = await startMeasuredServer({
    DATA_DIR: dataDir,
    TRUST_PROXY: '1',
    PAGE_CACHE: 'off',
    RENDERS_PER_MINUTE: '0',
  })
  const peer = withOthers ? await startNextServer(dataDir) : null
  const bare = withOthers ? await startBareServer(server.url, Object.values(cases).flat(), COMPRESSED_HEADERS) : null
  for (const pid of [server.pid(), uncached.pid(), peer?.pid, bare?.pid]) if (pid) pinToCpu(pid, 0)

  const rows: (string | number)[][] = []
  for (const [name, paths] of Object.entries(cases)) {
    const contenders: Contender[] = [
      { name: 'cached', url: server.url, pid: server.pid(), paths, headers: COMPRESSED_HEADERS },
      { name: 'uncached', url: uncached.url, pid: uncached.pid(), paths, headers: {} },
    ]
    if (bare) contenders.push({ name: 'bare', url: bare.url, pid: bare.pid, paths, headers: COMPRESSED_HEADERS })
    if (peer && paths === dogs) contenders.push({ name: 'next', url: peer.url, pid: peer.pid, paths, headers: {} })
    const turns = await measureInterleaved(contenders)
    rows.push(...turns.map((turn) => [name, turn.contender, ...cellsOf(turn, turns)]))
  }
  console.log(`\n${count.toLocaleString('en')} dogs\n`)
  printTable(['', '', 'a second', 'median ms', 'p99 ms', 'kB', 'ratio', 'a processor second', 'ratio'], rows)
  await peer?.stop()
  await bare?.stop()
  await uncached.stop()
  console.log()
  printTable(['', 'a second', 'median ms', 'p99 ms', 'failed'], await benchWrites(server, world))
  console.log(`\nmemory of the server: ${await residentMB(server.pid())} MB`)
  await server.dispose()
  rmSync(dataDir, { recursive: true, force: true })
}

function cellsOf(turn: Measurement, turns: readonly Measurement[]): string[] {
  const beside = (key: 'rate' | 'perProcessor'): string => {
    const of = (name: string) => turns.find(({ contender }) => contender === name)?.[key]
    const [bare, next] = [of('bare'), of('next')]
    if (turn.contender === 'cached' && bare) return percentOfBare(turn[key], bare)
    return turn.contender === 'uncached' && next ? timesNext(turn[key], next) : ''
  }
  const { rate, median, p99, bytes, perProcessor } = turn
  const figures = [rate.toFixed(0), median.toFixed(2), p99.toFixed(2), (bytes / 1000).toFixed(1)]
  return [...figures, beside('rate'), perProcessor.toFixed(0), beside('perProcessor')]
}
