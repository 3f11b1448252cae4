/**
 * «Te faltan cerca» and its alerts with 100,000 dogs and 100,000 members who wait for breeds. To reach (issue 21): the missing breeds in
 * under 5 ms, and under 20 ms for what a dog's request adds. What follows in the background, all members near one dog, is measured beside it, with
 * the longest that another statement would wait for it.
 */
import { randomUUID } from 'node:crypto'
import { type Trx as Db, sqliteOf } from '#db/client.ts'
import { alertCell } from '#features/nearby/alerts/alert-cells.ts'
import { breedAlerts } from '#features/nearby/alerts/breed-alerts.server.ts'
import { ALERT_DISTANCES_KM } from '#features/nearby/home-zone/home-zone.ts'
import { listMissingBreeds } from '#features/nearby/missing-breeds.server.ts'
import { findPlace } from '#features/places/find-place.server.ts'
import { provinceOf } from '#features/places/provinces.server.ts'
import { createRandom } from '#app/demo/random.ts'
import { ZONES } from '#app/demo/texts.ts'
import { ringDue } from '#tests/support/jobs.ts'
import { fillCommunity } from '#tests/support/community/fill-community.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { percentilesOf, printTable } from '#tests/support/load/measure.ts'
import { dog, seed } from '#tests/support/seed.ts'

const DOGS = Number(process.env.BENCH_DOGS ?? 100_000)
const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 100_000)
const ROUNDS = 200

const dice = createRandom(5)

/** Members without dogs, and a home zone with alerts for everybody. @returns all ids */
function fillHomes(db: Db): string[] {
  const sqlite = sqliteOf(db)
  const members = sqlite.prepare('SELECT id FROM users').pluck().all() as string[]
  const user = sqlite.prepare('INSERT INTO users (id, email, created_at) VALUES (?, ?, 0)')
  const home = sqlite.prepare(
    `INSERT INTO home_zones (user_id, zone, province, lat, lon, alert_km, alert_cell, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, 0)`,
  )
  sqlite.transaction(() => {
    while (members.length < MEMBERS) {
      const id = randomUUID()
      user.run(id, `sin-perro-${members.length}@ejemplo.es`)
      members.push(id)
    }
    for (const id of members) {
      let place = null
      while (!place) place = findPlace(dice.weighted(ZONES) ?? '')
      const at = { lat: place.lat, lon: place.lon, province: provinceOf(place.name) }
      const km = dice.pick(ALERT_DISTANCES_KM)
      home.run(id, place.name, at.province, at.lat, at.lon, km, alertCell(at, km))
    }
  })()
  sqlite.exec('ANALYZE')
  return members
}

async function measure(rounds: number, use: (i: number) => Promise<unknown>) {
  const all: number[] = []
  for (let i = -20; i < 0; i++) await use(i)
  const before = process.cpuUsage()
  for (let i = 0; i < rounds; i++) {
    const start = performance.now()
    await use(i)
    all.push(performance.now() - start)
  }
  // Other work on the machine hardly changes it.
  const { user, system } = process.cpuUsage(before)
  const { median, p99 } = percentilesOf(all)
  return [median, p99, (user + system) / 1000 / rounds]
}

const db = sqliteDb()
fillCommunity(db, DOGS)
const addDog = (zone: string, breed = 'Komondor') => seed(db, dog({ breed, zone, owner_id: null, user_id: null }))
const withoutAlerts = await measure(ROUNDS, () => addDog('Madrid'))
const members = fillHomes(db)
const keenest = sqliteOf(db)
  .prepare('SELECT user_id FROM member_breeds GROUP BY 1 ORDER BY count(*) DESC')
  .pluck()
  .get()

const missing: [string, string, string][] = [
  ['of Madrid, no dog', members.at(-1)!, '28'],
  ['of Madrid, the keenest', String(keenest), '28'],
  ['of Cuenca (neighbours)', members[1]!, '16'],
  ['of Melilla (country)', members[1]!, '52'],
  ['abroad', members[1]!, ''],
]
const rows: (string | number)[][] = []
const measureMissing = async (note: string) => {
  for (const [name, id, province] of missing)
    rows.push([
      `Te faltan cerca ${name}${note}`,
      ...(await measure(ROUNDS, () => listMissingBreeds(db, id, { province }))),
    ])
}
await measureMissing('')
sqliteOf(db).exec("INSERT INTO bans (user_id, reason, created_at) SELECT id, 'x', 0 FROM users LIMIT 300 OFFSET 50")
await measureMissing(', 300 banned')
sqliteOf(db).exec('DELETE FROM bans')
const withAlerts = await measure(ROUNDS, () => addDog('Madrid'))
rows.push(['a dog’s rows while nobody waits', ...withoutAlerts])
rows.push([`the same, ${MEMBERS} wait`, ...withAlerts])
printTable(['', 'median ms', 'p99 ms', 'processor ms'], rows)

sqliteOf(db).exec('DELETE FROM jobs')
for (const zone of ['Madrid', 'Cuenca']) {
  await addDog(zone)
  let longest = 0
  let last = performance.now()
  let isDone = false
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isDone) setImmediate(look)
  }
  setImmediate(look)
  const start = performance.now()
  const told = await ringDue(db, breedAlerts)
  const took = performance.now() - start
  isDone = true
  console.log(
    `un Komondor en ${zone}: ${told} avisos en ${took.toFixed(0)} ms, la espera más larga ${longest.toFixed(1)} ms`,
  )
}
const repeat = async () => {
  const start = performance.now()
  await addDog('Madrid', 'Borzoi')
  const told = await ringDue(db, breedAlerts)
  return `${told} avisos en ${(performance.now() - start).toFixed(0)} ms`
}
console.log(`otro en Madrid el mismo día: ${await repeat()}`)
await db.destroy()
