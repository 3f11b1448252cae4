/**
 * How many pages a second one process answers to members: a thousand of them in turn, 16 connections, reading only and with a like a
 * second, every tenth a comment; beside them the same pages for visitors. Then the memory of the server. To reach: list, dog and
 * breed 2,000, own profile 250 a second. Then the same over PostgreSQL, where rights are read at each request, without
 * figures to reach. BENCH_DOGS=1000 names another size, BENCH_DATABASES=sqlite one of the databases.
 */
import { constants, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareCommunity } from '#tests/support/community/filled-data-dirs.ts'
import { cpuSeconds, printTable, residentMB } from '#tests/support/load/measure.ts'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'
import type { TestServer } from '#tests/support/server.ts'
import { pinToCpu } from './lib/interleaved.ts'
import { BENCH_DATABASES, copyToPostgres } from './lib/postgres-copy.ts'
import { type BenchWorld, signInMembers } from './lib/signed-in-members.ts'
import { buildRequest, sendLoad } from './lib/socket-load.ts'

const DOGS = Number(process.env.BENCH_DOGS ?? 1000)
const MEMBERS = 1000
const SECONDS = 5
const WARMUP_SECONDS = 2
const WRITE_INTERVAL_MS = 1000
const WRITES_PER_COMMENT = 10
const ACCEPTED = { 'Accept-Encoding': 'gzip, deflate, br' }

type Reader = 'visitors' | 'members' | 'members who write'

pinToCpu(process.pid, 1)
for (const database of BENCH_DATABASES) {
  const dataDir = mkdtempSync(join(tmpdir(), 'perrario-bench-members-'))
  cpSync(await prepareCommunity(DOGS), dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE })
  const world = await signInMembers(dataDir, MEMBERS)
  const copy = database === 'postgres' ? await copyToPostgres(dataDir) : undefined
  const server = await startMeasuredServer({
    DATA_DIR: dataDir,
    TRUST_PROXY: '1',
    ...(copy && { DATABASE_URL: copy.url }),
  })
  pinToCpu(server.pid(), 0)
  const rows: (string | number)[][] = []
  const measure = createMeasure(server, world)
  for (const [name, addresses] of Object.entries(listPaths(world)))
    for (const reader of ['visitors', 'members', 'members who write'] as const)
      if (name.startsWith('own') ? reader !== 'visitors' : true)
        rows.push([name, ...(await measure(addresses, reader))])
  console.log(`\n${database}, ${DOGS.toLocaleString('en')} dogs, ${MEMBERS.toLocaleString('en')} members\n`)
  printTable(['', 'read by', 'a second', 'a processor second', 'median ms', 'p99 ms', 'failed'], rows)
  console.log(`\nmemory of the server: ${await residentMB(server.pid())} MB`)
  await server.dispose()
  await copy?.db.destroy()
  rmSync(dataDir, { recursive: true, force: true })
}

function listPaths({ dogs }: BenchWorld): Record<string, string[]> {
  return {
    'list, `/perros`': ['/perros'],
    'breed, 20 of them': [...new Set(dogs.map(({ path }) => `/razas/${path.split('/')[1]}`))].slice(0, 20),
    'dog, 100 of them': dogs.slice(0, 100).map(({ path }) => path),
    'own profile, `/perfil`': ['/perfil'],
  }
}

/** @returns measures requests a second, for a second of the server's processor, and the slowest hundredth */
function createMeasure(server: TestServer, { dogs, cookies }: BenchWorld) {
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
  return async (addresses: readonly string[], reader: Reader): Promise<(string | number)[]> => {
    const request = (n: number) => {
      if (reader === 'members who write' && performance.now() - writtenAt >= WRITE_INTERVAL_MS) {
        writtenAt = performance.now()
        return buildWrite()
      }
      const path = addresses[(n + Math.floor(n / cookies.length)) % addresses.length]!
      return buildRequest('GET', path, { ...ACCEPTED, ...(reader !== 'visitors' && { Cookie: cookieOf(n) }) })
    }
    // Until each member has their own page once: the first is a render.
    for (let sent = 0; sent < MEMBERS;) {
      const first = sent
      sent += (await sendLoad(server.url, (n) => request(first + n), { seconds: WARMUP_SECONDS })).count
    }
    const before = await cpuSeconds(server.pid())
    const load = await sendLoad(server.url, request, { seconds: SECONDS })
    const used = (await cpuSeconds(server.pid())) - before
    return [reader, load.rate.toFixed(0), (load.count / used).toFixed(0), load.median, load.p99, load.failures]
  }
}
