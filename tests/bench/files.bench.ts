/**
 * Files of the build and photos, beside a bare `node:http` server that sends the same bytes; then what 500 readers cost who
 * ask for a photo each and read nothing. Alone: npm run bench -- files
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { photoSrc } from '#features/photos/photos.ts'
import { preparePhoto, storePhoto } from '#features/photos/photos.server.ts'
import { phonePhoto } from '#tests/support/photos/test-pictures.ts'
import { startBareServer } from './lib/bare-server.ts'
import { percentilesOf, measureRequestTimes, residentMB, printTable } from '#tests/support/load/measure.ts'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'
import { pinToCpu, measureInterleaved } from './lib/interleaved.ts'

const BROWSER_HEADERS = { 'Accept-Encoding': 'gzip, deflate, br', Accept: 'image/avif,image/webp,*/*' }
const STALLED_READERS = 500

const dataDir = mkdtempSync(join(tmpdir(), 'perrario-bench-files-'))
const photo = await preparePhoto(await phonePhoto(1600, 1200))
const urls: string[] = []
for (let i = 0; i < STALLED_READERS; i++) urls.push((await storePhoto(dataDir, crypto.randomUUID(), photo)).url)

const dist = join(import.meta.dirname, '../../dist/client')
const scripts = readdirSync(join(dist, '_astro')).filter((name) => /^client\..*\.js$/.test(name))
const sizeOf = (name: string) => statSync(join(dist, '_astro', name)).size
const script = scripts.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]!
const drawings = readdirSync(join(dist, 'retratos')).filter((name) => name.endsWith('.svg'))
const covers = urls.slice(0, 100).map((url) => photoSrc(url, 'card'))
const CASES: Record<string, string[]> = {
  'React, brotli': [`/_astro/${script}`],
  'portraits, 100 of them': drawings.slice(0, 100).map((name) => `/retratos/${name}`),
  'covers as AVIF, 100 of them': covers,
  'stored photos, 100 of them': urls.slice(0, 100),
}

const server = await startMeasuredServer({ DATA_DIR: dataDir })
const bare = await startBareServer(server.url, Object.values(CASES).flat(), BROWSER_HEADERS)
for (const pid of [server.pid(), bare.pid]) pinToCpu(pid, 0)
pinToCpu(process.pid, 1)
const rows: (string | number)[][] = []
for (const [name, paths] of Object.entries(CASES)) {
  const turns = await measureInterleaved([
    { name: 'perrario', url: server.url, pid: server.pid(), paths, headers: BROWSER_HEADERS },
    { name: 'bare', url: bare.url, pid: bare.pid, paths, headers: BROWSER_HEADERS },
  ])
  const [ours, theirs] = ['perrario', 'bare'].map((who) => turns.find((turn) => turn.contender === who)!)
  const share = (key: 'rate' | 'perProcessor') => `${Math.round((ours![key] / theirs![key]) * 100)} %`
  const ratios = [ours!.rate.toFixed(0), theirs!.rate.toFixed(0), share('rate'), share('perProcessor')]
  rows.push([name, ...ratios, ours!.p99.toFixed(2), (ours!.bytes / 1000).toFixed(1)])
}
printTable(['', 'a second', 'bare', 'ratio', 'ratio a processor second', 'p99 ms', 'kB'], rows)

const before = await residentMB(server.pid())
const sockets = urls.map((url) => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => {}).pause()
  // Several in a row on one connection: the first fills the socket's buffers, the others wait in the server.
  socket.write(`GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(5))
  return socket
})
await new Promise((done) => setTimeout(done, 5000))
const times = await measureRequestTimes(server.url + covers[0]!, 30, BROWSER_HEADERS)
console.log(
  `${STALLED_READERS} readers who read nothing: ${before.toFixed(0)} MB before, ${(await residentMB(server.pid())).toFixed(0)} MB while they stand; another photo: median ${percentilesOf(times).median.toFixed(1)} ms`,
)
for (const socket of sockets) socket.destroy()
await bare.stop()
await server.dispose()
rmSync(dataDir, { recursive: true, force: true })
