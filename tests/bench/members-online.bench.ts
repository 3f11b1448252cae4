/**
 * An evening of a large community: 100,000 dogs and 10,000 members who write 50 times a second, a thousand of them with open streams. First
 * those thousand read pages, then all 10,000 one after the other, most of them for the first time. Prints the times of pages and writes, and the
 * memory of the whole process tree as time goes by. To reach (issue 12): p99 of the thousand under 20 ms, memory under 250 MB.
 * BENCH_MINUTES=10 is the soak; BENCH_DOGS and BENCH_MEMBERS name other sizes.
 */
import { constants, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareCommunity } from '#tests/support/community/filled-data-dirs.ts'
import { treeMB } from '#tests/support/load/process-tree.ts'
import { percentilesOf, printTable, residentMB } from '#tests/support/load/measure.ts'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'
import { sendAtRate, sendRequest } from './lib/constant-rate.ts'
import { pinToCpu } from './lib/interleaved.ts'
import { signInMembers } from './lib/signed-in-members.ts'
import { openStreams } from './lib/stream-readers.ts'

const DOGS = Number(process.env.BENCH_DOGS ?? 100_000)
const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 10_000)
const MINUTES = Number(process.env.BENCH_MINUTES ?? 2)
const STREAMS = 1000
const WRITES_PER_SECOND = 50
const PAGES_PER_SECOND = 100
const COMMENTS_OF_WRITES = 10
/** A row is printed so many times for each kind of readers. */
const PARTS = 5

pinToCpu(process.pid, 1)
const dataDir = mkdtempSync(join(tmpdir(), 'perrario-bench-online-'))
cpSync(await prepareCommunity(DOGS), dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE })
const { dogs, cookies } = await signInMembers(dataDir, MEMBERS)
const server = await startMeasuredServer({ DATA_DIR: dataDir, TRUST_PROXY: '1' })
pinToCpu(server.pid(), 0)
const { port } = new URL(server.url)
const idle = await treeMB(server.pid())

const cookieOf = (n: number) => cookies[n % cookies.length]!
const dogOf = (n: number) => dogs[(n * 7) % dogs.length]!

const streams = await openStreams({ port: Number(port), cookies: cookies.slice(0, STREAMS) }, 1)
const open = await treeMB(server.pid())

const PAGES: ((n: number) => string)[] = [
  () => '/perros',
  (n) => dogOf(n).path,
  (n) => `/razas/${dogOf(n).path.split('/')[1]}`,
  () => '/perfil',
]
const networkOf = (n: number) => ({ 'X-Forwarded-For': `10.${n % 250}.${Math.floor(n / 250) % 250}.1` })

function write(n: number): Promise<unknown> {
  const address = `${server.url}/api/dogs/${dogOf(n).id}`
  if (n % COMMENTS_OF_WRITES > 0) return sendRequest(`${address}/like`, 'PUT', cookieOf(n), networkOf(n))
  return fetch(`${address}/comments`, {
    method: 'POST',
    headers: { Cookie: cookieOf(n), 'Content-Type': 'application/json', ...networkOf(n) },
    body: JSON.stringify({ content: `Qué guapo, visita ${n}` }),
  }).then((response) => response.text())
}
/** Each reader comes to each kind of page, and so does each dog. */
const readPage = (n: number, readers: number) =>
  sendRequest(
    server.url + PAGES[n % PAGES.length]!(Math.floor(n / PAGES.length)),
    'GET',
    cookieOf((n * 13 + Math.floor(n / readers)) % readers),
    { 'Accept-Encoding': 'gzip, deflate, br', ...networkOf(n) },
  )

const seconds = (MINUTES * 60) / PARTS / 2
const rows: (string | number)[][] = []
for (let part = 0; part < 2 * PARTS; part++) {
  const readers = part < PARTS ? STREAMS : MEMBERS
  const first = part * seconds
  const [pages, writes] = await Promise.all([
    sendAtRate(PAGES_PER_SECOND, seconds, async (n) => void (await readPage(first * PAGES_PER_SECOND + n, readers))),
    sendAtRate(WRITES_PER_SECOND, seconds, async (n) => void (await write(first * WRITES_PER_SECOND + n))),
  ])
  const page = percentilesOf(pages.times)
  const written = percentilesOf(writes.times)
  rows.push([
    Math.round(first + seconds),
    readers.toLocaleString('en'),
    page.median,
    page.p99,
    written.median,
    written.p99,
    pages.failures + writes.failures,
    await residentMB(server.pid()),
    await treeMB(server.pid()),
  ])
}
console.log(
  `\n${DOGS.toLocaleString('en')} dogs, ${MEMBERS.toLocaleString('en')} members, ${STREAMS} streams, ${WRITES_PER_SECOND} writes and ${PAGES_PER_SECOND} pages a second; memory of all processes when idle ${idle} MB, with streams ${open} MB\n`,
)
printTable(
  [
    'after s',
    'readers',
    'page, median ms',
    'p99',
    'write, median ms',
    'p99',
    'failed',
    'server MB',
    'all processes MB',
  ],
  rows,
)
streams.close()
await server.dispose()
rmSync(dataDir, { recursive: true, force: true })
