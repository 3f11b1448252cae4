/**
 * A dog is lost and 10,000 members around wait for it, each with a device. Prints the seconds until all have it in the bell and on their device,
 * and how long others wait for pages meanwhile, beside an idle server. BENCH_MEMBERS and BENCH_DOGS name other sizes.
 */
import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sqliteOf } from '#db/client.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import { cellOf } from '#lib/geo-cells.ts'
import { cpuSeconds, percentilesOf, printTable } from '#tests/support/load/measure.ts'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { getPage } from './lib/load.ts'
import { openWorld } from './lib/world.ts'

const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 10_000)
const DOGS = Number(process.env.BENCH_DOGS ?? 100_000)
const RADIUS_KM = 20
const PAGES_PER_SECOND = 50
const IDLE_SECONDS = 20
const MAX_SECONDS = 180

/** A push service that counts: decrypting would take the processor that is measured. */
let pushed = 0
const pushService = createServer((request, response) => {
  request.resume().on('end', () => {
    pushed++
    response.writeHead(201).end()
  })
}).listen(0, '127.0.0.1')
await once(pushService, 'listening')
const host = `127.0.0.1:${(pushService.address() as { port: number }).port}`

const world = await openWorld(DOGS)
const { db } = world
const sqlite = sqliteOf(db)
const { lat, lon } = findPlace('Getafe')!
const dogs = sqlite
  .prepare('SELECT id, owner_id, path_breed, path_slug FROM dogs WHERE owner_id IS NOT NULL LIMIT 500')
  .all() as { id: string; owner_id: string; path_breed: string; path_slug: string }[]
const pair = createECDH('prime256v1')
const add = {
  user: sqlite.prepare('INSERT INTO users (id, email, created_at) VALUES (?, ?, 0)'),
  session: sqlite.prepare('INSERT INTO sessions (id, user_id, expires_at, created_at) VALUES (?, ?, ?, 0)'),
  device: sqlite.prepare(
    'INSERT INTO push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, created_at) VALUES (?, ?, ?, ?, ?, ?, 0)',
  ),
  alerts: sqlite.prepare(
    `INSERT INTO lost_alert_settings (user_id, zone, lat, lon, radius_km, cell, breaks_quiet, by_mail, by_push, created_at)
     VALUES (?, 'Getafe, Madrid', ?, ?, ?, ?, 1, 0, 1, 0)`,
  ),
}
sqlite.transaction(() => {
  for (let n = 0; n < MEMBERS; n++) {
    const id = randomUUID()
    add.user.run(id, `espera-${n}@ejemplo.es`)
    add.session.run(`bench-${n}`, id, Math.floor(Date.now() / 1000) + 86_400)
    pair.generateKeys()
    add.device.run(
      randomUUID(),
      id,
      `bench-${n}`,
      `http://${host}/push/${n}`,
      pair.getPublicKey('base64url'),
      randomBytes(16).toString('base64url'),
    )
    const at = { lat: lat + ((n % 100) - 50) / 500, lon: lon + ((n % 89) - 44) / 500 }
    add.alerts.run(id, at.lat, at.lon, RADIUS_KM, cellOf(at, RADIUS_KM))
  }
})()
sqlite.exec('ANALYZE')

const server = await startMeasuredServer({ ...world.env, PUSH_HOSTS: host })
const PAGES: ((n: number) => string)[] = [
  () => '/perros',
  (n) => `/${dogs[n % dogs.length]!.path_breed}/${dogs[n % dogs.length]!.path_slug}`,
  (n) => `/razas/${dogs[n % dogs.length]!.path_breed}`,
  () => '/comunidad',
]

/** Pages at a constant rate until `isDone`; each is timed from when it was due. */
async function readPages(isDone: () => boolean): Promise<number[]> {
  const times: number[] = []
  const running: Promise<void>[] = []
  const start = performance.now()
  for (let n = 0; !isDone(); n++) {
    const due = start + (n * 1000) / PAGES_PER_SECOND
    await wait(Math.max(0, due - performance.now()))
    const path = PAGES[n % PAGES.length]!(n)
    const headers = { 'X-Forwarded-For': `10.${n % 250}.${Math.floor(n / 250) % 250}.1` }
    running.push(getPage(server.url + path, headers).then(() => void times.push(performance.now() - due)))
  }
  await Promise.all(running)
  return times
}
const forSeconds = (seconds: number) => {
  const end = performance.now() + seconds * 1000
  return () => performance.now() > end
}

await readPages(forSeconds(10))
const idle = percentilesOf(await readPages(forSeconds(IDLE_SECONDS)))

const lost = dogs[0]!
const cpuBefore = await cpuSeconds(server.pid())
const start = performance.now()
await addLostCase(db, { dog_id: lost.id, owner_id: lost.owner_id, shown_lat: lat, shown_lon: lon })
// Its row goes with the last bell. Counting those would scan a table in this process, which also times the pages.
const queued = sqlite.prepare("SELECT count(*) FROM jobs WHERE topic = 'lost-alerts'").pluck()
let bellSeconds = 0
let pushSeconds = 0
const look = setInterval(() => {
  const seconds = (performance.now() - start) / 1000
  if (bellSeconds === 0 && queued.get() === 0) bellSeconds = seconds
  if (pushSeconds === 0 && pushed >= MEMBERS) pushSeconds = seconds
}, 250)
const isOver = forSeconds(MAX_SECONDS)
const busy = percentilesOf(await readPages(() => (bellSeconds > 0 && pushSeconds > 0) || isOver()))
clearInterval(look)
const cpu = (await cpuSeconds(server.pid())) - cpuBefore
const bells = sqlite.prepare("SELECT count(*) FROM notifications WHERE topic = 'lost'").pluck().get()

console.log(
  `${MEMBERS} miembros: campanas en ${bellSeconds.toFixed(1)} s (${bells}), avisos en dispositivos en ${pushSeconds.toFixed(1)} s (${pushed}); procesador del servidor, con las páginas, ${cpu.toFixed(1)} s`,
)
printTable(
  ['', 'mediana ms', 'p99 ms'],
  [
    ['pages, idle', idle.median, idle.p99],
    ['pages while it is sent', busy.median, busy.p99],
    ['ratio', busy.median / idle.median, busy.p99 / idle.p99],
  ],
)
await server.dispose()
await world.dispose()
pushService.close()
pushService.closeAllConnections()
process.exit(0)
