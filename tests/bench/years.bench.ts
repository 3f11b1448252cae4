/**
 * A member's year among 100,000 dogs: the pass that computes it, for members with few and with very many dogs, the reading of what is kept,
 * and the community's year. To reach (issue 21): a pass of at most 50 ms a member.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '#app/demo/random.ts'
import { migrate, openDatabase, sqliteOf } from '#db/client.ts'
import { breedNames } from '#features/breeds/catalogue.server.ts'
import { refreshCommunityYear } from '#features/years/community-year.server.ts'
import { memories } from '#features/years/memories.server.ts'
import { ringDue } from '#tests/support/jobs.ts'
import { readYearSummary, summariseYear } from '#features/years/summary.server.ts'
import { yearRange } from '#features/years/years.ts'
import { madridDay } from '#lib/dates.ts'
import { percentilesOf, printTable } from '#tests/support/load/measure.ts'

const DOGS = 100_000
const MEMBERS = 5000
const LIKES_PER_DOG = 1
const YEAR = 2026
const NOW = Date.parse('2026-12-10T12:00:00Z')
const ROUNDS = 30
/** Dogs of the members that are measured. */
const SIZES = [5, 100, 1000]
const PROVINCES = Array.from({ length: 52 }, (_, i) => String(i + 1).padStart(2, '0'))

const dataDir = mkdtempSync(join(tmpdir(), 'perrario-bench-years-'))
const db = openDatabase(join(dataDir, 'perrario.db'))
await migrate(db)
const sqlite = sqliteOf(db)
const random = createRandom(7)
const { from, to } = yearRange(YEAR)
const members = Array.from({ length: MEMBERS }, () => randomUUID())
const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)]!

// Filled without triggers, which take minutes: the rows that they derive are written below.
for (const { name } of sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all() as {
  name: string
}[])
  sqlite.exec(`DROP TRIGGER ${name}`)
sqlite.transaction(() => {
  const user = sqlite.prepare('INSERT INTO users (id, email, created_at) VALUES (?, ?, 0)')
  const profile = sqlite.prepare(
    'INSERT INTO profiles_all (id, alias, alias_key, emoji, created_at) VALUES (?, ?, ?, ?, 0)',
  )
  for (const [i, id] of members.entries()) {
    user.run(id, `m${i}@ejemplo.es`)
    profile.run(id, `Miembro ${i}`, `miembro ${i}`, '🐶')
  }
  const add =
    sqlite.prepare(`INSERT INTO dogs_all (id, name, breed, breed_slug, photo_url, user_id, owner_id, discoverer_id, created_at, updated_at, day, path_breed, path_slug, province)
    VALUES (?, ?, ?, ?, '/placeholder.svg', ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const like = sqlite.prepare(
    'INSERT OR IGNORE INTO dog_likes_all (id, dog_id, user_id, created_at) VALUES (?, ?, ?, ?)',
  )
  const large = SIZES.flatMap((size, i) => Array.from({ length: size }, () => members[i]!))
  for (let i = 0; i < DOGS; i++) {
    const owner = large[i] ?? pick(members.slice(SIZES.length))
    const breed = pick(breedNames)
    // Two of three dogs are of the year.
    const at = Math.floor(from - (to - from) / 2 + random.next() * (to - from) * 1.5)
    const isOwn = random.next() < 0.5
    const id = randomUUID()
    const roles = isOwn ? [owner, null] : [null, owner]
    add.run(
      id,
      `Perro ${i}`,
      breed.name,
      breed.slug,
      owner,
      ...roles,
      at,
      at,
      madridDay(at),
      breed.slug,
      `p-${i}`,
      pick(PROVINCES),
    )
    // The dogs of those who are measured are liked thirty times as often.
    const likes = i < large.length ? LIKES_PER_DOG * 30 : LIKES_PER_DOG
    for (let n = 0; n < likes; n++) like.run(randomUUID(), id, pick(members), Math.min(NOW, at + n * 60_000))
  }
  sqlite.exec(`INSERT INTO member_dogs SELECT coalesce(owner_id, discoverer_id), id, breed_slug, created_at FROM dogs`)
  sqlite.exec(`INSERT INTO dog_day_tallies SELECT day, breed_slug, '', count(*) FROM dogs GROUP BY day, breed_slug`)
})()
sqlite.exec('ANALYZE')

async function measure(use: (round: number) => Promise<unknown>) {
  const times: number[] = []
  for (let i = -5; i < ROUNDS; i++) {
    const start = performance.now()
    await use(i)
    if (i >= 0) times.push(performance.now() - start)
  }
  return percentilesOf(times)
}

const rows: (string | number)[][] = []
for (const [i, size] of SIZES.entries()) {
  const id = members[i]!
  const pass = await measure(() => summariseYear(db, id, YEAR, NOW))
  await readYearSummary(db, id, YEAR, NOW)
  const kept = await measure(() => readYearSummary(db, id, YEAR, NOW))
  rows.push([`${size} dogs`, pass.median.toFixed(1), pass.p99.toFixed(1), kept.median.toFixed(2), kept.p99.toFixed(2)])
}
printTable(['member with', 'pass, median ms', 'pass, p99', 'kept, median', 'kept, p99'], rows)
const begin = performance.now()
await refreshCommunityYear(db, NOW)
console.log(`the community's year: ${(performance.now() - begin).toFixed(0)} ms, in 54 statements`)
const memoriesBegin = performance.now()
const sent = await ringDue(db, memories, { now: NOW })
console.log(`«Tal día»: ${sent} notifications in ${(performance.now() - memoriesBegin).toFixed(0)} ms`)
await db.destroy()
rmSync(dataDir, { recursive: true, force: true })
