/**
 * What one process answers a second, over SQLite and then over PostgreSQL, with 16 connections that ask without pause. Pages to visitors, kept
 * and not kept, beside a bare `node:http` server that sends the same bytes; pages to a thousand members in turn, reading only and with a write a
 * second, every tenth a comment; likes and uploads; the server's memory. Not to be kept means PAGE_CACHE=off.
 * BENCH_DOGS=100000 names another size, BENCH_DATABASES=sqlite one of the databases, BENCH_SECONDS how long each load lasts.
 */
import { randomUUID } from 'node:crypto'
import { cpuSeconds, printTable, residentMB, STATEMENTS_PER_SCRAPE } from '#tests/support/load/measure.ts'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'
import { phonePhoto } from '#tests/support/photos/test-pictures.ts'
import type { TestServer } from '#tests/support/server.ts'
import { startBareServer } from './lib/bare-server.ts'
import { buildRequest, type LoadFigures, type Measurement, measureInterleaved, pinToCpu, sendLoad } from './lib/load.ts'
import { BENCH_DATABASES, type BenchWorld, openWorld } from './lib/world.ts'

const DOGS = Number(process.env.BENCH_DOGS ?? 1000)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const MEMBERS = 1000
const WARMUP_SECONDS = 2
const WRITE_INTERVAL_MS = 1000
const WRITES_PER_COMMENT = 10
const UPLOADS = 120
/** What browsers accept. Pages that are not kept are asked for without it, so that nothing is compressed. */
const COMPRESSED_HEADERS = { 'Accept-Encoding': 'gzip, deflate, br' }
const METRICS = { METRICS_TOKEN: 'bench-throughput-token' }

type Row = (string | number)[]

pinToCpu(process.pid, 1)
for (const database of BENCH_DATABASES) {
  const world = await openWorld(DOGS, MEMBERS, database)
  console.log(`\n${database}, ${DOGS.toLocaleString('en')} dogs, ${MEMBERS.toLocaleString('en')} members\n`)
  const server = await startMeasuredServer({ ...world.env })
  pinToCpu(server.pid(), 0)
  await measureVisitors(world, server)
  await measureMembers(world, server)
  await measureWrites(world, server)
  console.log(`\nmemory of the server: ${await residentMB(server.pid())} MB`)
  await server.dispose()
  await world.dispose()
}

function pagesOf({ dogs }: BenchWorld): Record<string, string[]> {
  const paths = dogs.slice(0, 100).map(({ path }) => path)
  return {
    'list, `/perros`': ['/perros'],
    'dog, 100 of them': paths,
    'breed, 20 of them': [...new Set(paths.map((path) => `/razas/${path.split('/')[1]}`))].slice(0, 20),
  }
}

/** Kept and not kept, beside bare `node:http`, and the statements of one render. */
async function measureVisitors(world: BenchWorld, server: TestServer): Promise<void> {
  const cases: Record<string, string[]> = {
    ...pagesOf(world),
    'album, `/razas`': ['/razas'],
    'community, `/comunidad`': ['/comunidad'],
    'map, `/api/map`': ['5', '9', '12'].map((zoom) => `/api/map?bbox=-10,36,4,44&zoom=${zoom}`),
    'list, `/api/dogs`': ['/api/dogs'],
  }
  const rendering = await startMeasuredServer({ ...world.env, PAGE_CACHE: 'off', ...METRICS })
  const bare = await startBareServer(server.url, Object.values(cases).flat(), COMPRESSED_HEADERS)
  for (const pid of [rendering.pid(), bare.pid]) pinToCpu(pid, 0)
  const rows: Row[] = []
  for (const [name, paths] of Object.entries(cases)) {
    const turns = await measureInterleaved([
      { name: 'kept', url: server.url, pid: server.pid(), paths, headers: COMPRESSED_HEADERS },
      { name: 'bare', url: bare.url, pid: bare.pid, paths, headers: COMPRESSED_HEADERS },
      { name: 'not kept', url: rendering.url, pid: rendering.pid(), paths, headers: {} },
    ])
    const statements: number[] = []
    for (const headers of [{}, { Cookie: world.cookies[0]! }])
      statements.push(await countStatements(rendering, paths[0]!, headers))
    rows.push(...turns.map((turn) => [name, ...cellsOf(turn, turns[1]!, statements)]))
  }
  const head = ['', '', 'a second', 'of bare', 'a processor second', 'of bare', 'median ms', 'p99 ms', 'kB']
  printTable([...head, 'statements, visitor / member'], rows)
  bare.stop()
  await rendering.stop()
}

function cellsOf(turn: Measurement, bare: Measurement, statements: number[]): string[] {
  const { contender, rate, perProcessor, median, p99, bytes } = turn
  const share = (key: 'rate' | 'perProcessor') => (contender === 'kept' ? (turn[key] / bare[key]).toFixed(2) : '')
  const rates = [rate.toFixed(0), share('rate'), perProcessor.toFixed(0), share('perProcessor')]
  const times = [median.toFixed(2), p99.toFixed(2), (bytes / 1000).toFixed(1)]
  return [contender, ...rates, ...times, contender === 'not kept' ? statements.join(' / ') : '']
}

/** Statements that a page takes which is not kept. */
async function countStatements(server: TestServer, path: string, headers: Record<string, string>): Promise<number> {
  const countSoFar = async (): Promise<number> => {
    const scrape = await fetch(`${server.url}/metrics`, {
      headers: { Authorization: `Bearer ${METRICS.METRICS_TOKEN}` },
    })
    return Number(/^perrario_database_statements_total (\d+)/m.exec(await scrape.text())?.[1])
  }
  const before = await countSoFar()
  await (await fetch(server.url + path, { headers })).text()
  return (await countSoFar()) - before - STATEMENTS_PER_SCRAPE
}

async function measureMembers(world: BenchWorld, server: TestServer): Promise<void> {
  const { dogs, cookies } = world
  const cookieOf = (n: number) => cookies[n % cookies.length]!
  let writes = 0
  let writtenAt = 0
  /** A like of a dog that the member does not like so far; every tenth write is a comment. */
  function buildWrite(): Buffer {
    const n = writes++
    const { id } = dogs[(n * 7 + Math.floor(n / cookies.length)) % dogs.length]!
    const headers = { Cookie: cookieOf(n), 'X-Forwarded-For': `10.${n % 250}.0.1` }
    if (n % WRITES_PER_COMMENT < WRITES_PER_COMMENT - 1) return buildRequest('PUT', `/api/dogs/${id}/like`, headers)
    const body = Buffer.from(JSON.stringify({ content: `Qué guapo, visita ${n}` }))
    return buildRequest('POST', `/api/dogs/${id}/comments`, { ...headers, 'Content-Type': 'application/json' }, body)
  }
  async function measure(paths: readonly string[], writesToo: boolean): Promise<Row> {
    const request = (n: number) => {
      if (writesToo && performance.now() - writtenAt >= WRITE_INTERVAL_MS) {
        writtenAt = performance.now()
        return buildWrite()
      }
      const path = paths[(n + Math.floor(n / cookies.length)) % paths.length]!
      return buildRequest('GET', path, { ...COMPRESSED_HEADERS, Cookie: cookieOf(n) })
    }
    // Until each member has their own page once: the first is a render.
    for (let sent = 0; sent < MEMBERS;) {
      const first = sent
      sent += (await sendLoad(server.url, (n) => request(first + n), { seconds: WARMUP_SECONDS })).count
    }
    const before = await cpuSeconds(server.pid())
    const load = await sendLoad(server.url, request, { seconds: SECONDS })
    const used = (await cpuSeconds(server.pid())) - before
    return [load.rate.toFixed(0), (load.count / used).toFixed(0), load.median, load.p99, load.failures]
  }
  const rows: Row[] = []
  for (const [name, paths] of Object.entries({ ...pagesOf(world), 'own profile, `/perfil`': ['/perfil'] }))
    for (const writesToo of [false, true])
      rows.push([name, writesToo ? 'members who write' : 'members', ...(await measure(paths, writesToo))])
  console.log()
  printTable(['', 'read by', 'a second', 'a processor second', 'median ms', 'p99 ms', 'failed'], rows)
}

/** A multipart body as the form's: the fields, then the photo as browsers send it, compressed. */
function buildDogForm(boundary: string, photo: Buffer): Buffer {
  const fields = { name: 'Toby', breed: 'Beagle', age: '3', weight: '12', zone: 'Madrid', size: 'mediano' }
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="images"; filename="1.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
  return Buffer.concat([Buffer.from(parts.join('') + file), photo, Buffer.from(`\r\n--${boundary}--\r\n`)])
}

/** Every like is one of its own, every upload a new dog with a photo; then whether rows and counts of likes agree. */
async function measureWrites({ db, dogs, cookies }: BenchWorld, server: TestServer): Promise<void> {
  const likes = await sendLoad(
    server.url,
    (n) => {
      const dog = dogs[(Math.floor(n / cookies.length) + (n % cookies.length)) % dogs.length]!
      return buildRequest('PUT', `/api/dogs/${dog.id}/like`, { Cookie: cookies[n % cookies.length]! })
    },
    { seconds: SECONDS },
  )
  const boundary = randomUUID()
  const body = buildDogForm(boundary, await phonePhoto(800, 800))
  const type = `multipart/form-data; boundary=${boundary}`
  const uploads = await sendLoad(
    server.url,
    (n) =>
      n < UPLOADS
        ? buildRequest('POST', '/api/dogs', { 'Content-Type': type, 'X-Forwarded-For': `10.0.0.${n}` }, body)
        : null,
    { connections: 4, seconds: 12 * SECONDS },
  )
  const row = (name: string, { rate, median, p99, failures }: LoadFigures): Row => [name, rate, median, p99, failures]
  console.log()
  printTable(
    ['', 'a second', 'median ms', 'p99 ms', 'failed'],
    [row('like, 16 at once', likes), row(`upload, ${(body.length / 1000).toFixed(0)} kB, 4 at once`, uploads)],
  )
  const stored = await db
    .selectFrom('dog_likes')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  const counted = await db
    .selectFrom('dogs')
    .select(({ fn }) => fn.sum<number>('votes').as('n'))
    .executeTakeFirstOrThrow()
  console.log(`\nlikes stored ${Number(stored.n)}, counted ${Number(counted.n)}`)
}
