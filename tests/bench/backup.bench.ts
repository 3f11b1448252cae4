/**
 * A backup of 10,000 dogs while 50 members a second like: how long it takes, the first and those after it, what who likes
 * notices of it, and the longest pause of the server's event loop. Before each comes as much time without one, and beside
 * all of it a process that does nothing tells what the machine itself holds up. Then the doctor and a restore.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#db/client.ts'
import { photoName } from '#features/photos/photos.ts'
import { runCommand } from '#tests/support/operator-command.ts'
import { sendRequest, sendAtRate } from './lib/constant-rate.ts'
import { percentilesOf, printTable } from '#tests/support/load/measure.ts'
import { createBenchWorld } from './lib/signed-in-members.ts'
import { startPauseMonitor } from './lib/event-loop-pauses.ts'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'

const DOGS = Number(process.env.BENCH_DOGS ?? 10_000)
const PHOTO_BYTES = 40_000
const LIKES_PER_SECOND = 50
const MEMBERS = 50

const root = mkdtempSync(join(tmpdir(), 'perrario-bench-backup-'))
const dataDir = join(root, 'var')
const token = 'solo-para-medir-pausas'
const env = { DATA_DIR: dataDir, BACKUP_DIR: join(root, 'copias'), METRICS_TOKEN: token }
mkdirSync(join(dataDir, 'photos'), { recursive: true })
const { dogs, cookies } = await createBenchWorld(dataDir, DOGS, MEMBERS)
const db = openDatabase(join(dataDir, 'perrario.db'))
const photos = await db.selectFrom('dog_images').select('url').execute()
await db.destroy()
for (const { url } of photos) {
  const name = photoName(url)
  if (name) writeFileSync(join(dataDir, 'photos', name), randomBytes(PHOTO_BYTES))
}
const server = await startMeasuredServer(env)
const pauses = startPauseMonitor(server.url, token)

let next = 0
const like = () => {
  const n = next++
  const dog = dogs[n % dogs.length]!
  return sendRequest(`${server.url}/api/dogs/${dog.id}/like`, 'PUT', cookies[n % MEMBERS]).then(() => {})
}
/** Likes while `work` runs, at least five seconds of them. */
async function likeDuring(work: () => Promise<unknown>): Promise<{ seconds: number; times: number[] }> {
  const times: number[] = []
  const start = performance.now()
  const end = { seconds: 0 }
  const done = work().then(() => void (end.seconds = (performance.now() - start) / 1000))
  do times.push(...(await sendAtRate(LIKES_PER_SECOND, 5, like)).times)
  while (!end.seconds)
  await done
  const { seconds } = end
  return { seconds, times }
}
const command = async (name: string, ...words: string[]) => {
  const { code, output } = await runCommand(name, words, env)
  if (code !== 0) throw new Error(output)
  return output
}

for (let n = 0; n < 200; n++) await like()
const rows: (string | number)[][] = []
const measure = async (what: string, work: () => Promise<unknown>): Promise<number> => {
  const watched = await pauses.watch()
  const { seconds, times } = await likeDuring(work)
  const { server: own, idle } = await watched()
  const { median, p99 } = percentilesOf(times)
  rows.push([what, seconds, median, p99, Math.max(...times), own, idle])
  return seconds
}
let last = 25
for (const what of ['first backup', 'second backup', 'third backup']) {
  await measure('nothing', () => new Promise((done) => setTimeout(done, last * 1000)))
  last = await measure(what, () => command('backup'))
}
await measure('doctor', () => command('doctor'))
await measure('nothing', () => new Promise((done) => setTimeout(done, last * 1000)))
pauses.stop()
await server.stop()
const start = performance.now()
const name = (await runCommand('restore', [], env)).output.match(/\S+Z(?= )/g)!.at(-1)!
await command('restore', name)
rows.push(['restore (stopped)', (performance.now() - start) / 1000, '', '', '', '', ''])
console.log(`${photos.length} photos of ${PHOTO_BYTES / 1000} kB`)
printTable(['while', 'takes s', 'like, median ms', 'p99 ms', 'longest ms', 'server paused ms', 'idle process ms'], rows)
await server.dispose()
rmSync(root, { recursive: true, force: true })
