/**
 * «Siguiendo» of a member with 1,000 follows among 100,000 dogs: its first page, one in the middle, with a block, with cards; and what
 * telling followers costs: queueing a dog, a batch of followers of 100,000. To reach (issue 21): a first page in under 5 ms.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, sqliteOf } from '#db/client.ts'
import { dogsFollowedBy } from '#features/dogs/list/following.server.ts'
import { followAlerts, queueAlerts } from '#features/follows/alerts.server.ts'
import { runDueJobs } from '#features/outbox/outbox.server.ts'
import { readFeed } from '#features/follows/feed.server.ts'
import { countFollowers } from '#features/follows/follows.server.ts'
import { prepareCommunity } from '#tests/support/community/filled-data-dirs.ts'
import { percentilesOf, printTable } from '#tests/support/load/measure.ts'

const ROUNDS = 300
const DOGS = Number(process.env.BENCH_DOGS ?? 100_000)

const dataDir = mkdtempSync(join(tmpdir(), 'perrario-bench-follows-'))
cpSync(join(await prepareCommunity(DOGS), 'perrario.db'), join(dataDir, 'perrario.db'))
const db = openDatabase(join(dataDir, 'perrario.db'))
const sqlite = sqliteOf(db)
const ids = (text: string) => sqlite.prepare(text).pluck().all() as string[]
const users = ids('SELECT id FROM users ORDER BY id')
const [reader = '', blocker = '', idol = ''] = users
const add = sqlite.prepare('INSERT OR IGNORE INTO follows VALUES (?, ?, ?, ?)')
const followed = [
  ...ids('SELECT DISTINCT breed_slug FROM dog_tallies')
    .slice(0, 200)
    .map((id) => ['breed', id] as const),
  ...ids(`SELECT DISTINCT province FROM dogs WHERE province != ''`).map((id) => ['zone', id] as const),
]
const members = users.slice(3, 3 + 1000 - followed.length).map((id) => ['member', id] as const)
sqlite.transaction(() => {
  for (const [kind, id] of [...followed, ...members]) add.run(reader, kind, id, 1)
  for (const id of users.slice(3)) add.run(id, 'member', idol, 1)
})()
sqlite.exec('ANALYZE')

async function measure(use: () => Promise<unknown>, rounds = ROUNDS) {
  for (let i = 0; i < 20; i++) await use()
  const all: number[] = []
  const before = process.cpuUsage()
  for (let i = 0; i < rounds; i++) {
    const start = performance.now()
    await use()
    all.push(performance.now() - start)
  }
  const { user, system } = process.cpuUsage(before)
  return { ...percentilesOf(all), processor: (user + system) / 1000 / rounds }
}

const middle = sqlite
  .prepare('SELECT id, created_at AS value FROM dogs ORDER BY created_at LIMIT 1 OFFSET ?')
  .get(Math.floor(DOGS / 2)) as { id: string; value: number }
const rows: Record<string, Awaited<ReturnType<typeof measure>>> = {
  'first page': await measure(() => readFeed(db, reader, 25)),
  'first page, members alone': await (async () => {
    sqlite.exec(`CREATE TEMP TABLE kept AS SELECT * FROM follows WHERE user_id = '${reader}' AND kind != 'member'`)
    sqlite.exec(`DELETE FROM follows WHERE user_id = '${reader}' AND kind != 'member'`)
    const figures = await measure(() => readFeed(db, reader, 25))
    sqlite.exec('INSERT INTO follows SELECT * FROM kept')
    return figures
  })(),
  'a page in the middle': await measure(() => readFeed(db, reader, 25, { order: 'following', ...middle })),
  'first page with its cards': await measure(() => dogsFollowedBy(db, reader)),
}
sqlite.prepare('INSERT INTO blocks (user_id, blocked_id, created_at) VALUES (?, ?, 1)').run(reader, blocker)
rows['first page with a block'] = await measure(() => readFeed(db, reader, 25))
rows[`${users.length - 3} followers counted`] = await measure(() => countFollowers(db, idol))
const [dogId = ''] = ids(`SELECT id FROM dogs WHERE owner_id = '${idol}' LIMIT 1`)
rows['a dog queued'] = await measure(async () => {
  await queueAlerts(db, dogId)
  sqlite.exec('DELETE FROM jobs')
})
await queueAlerts(db, dogId)
const start = performance.now()
await runDueJobs(db, [followAlerts])
const told = (sqlite.prepare('SELECT count(*) FROM notifications WHERE dog_id IS NULL').pluck().get() as number) ?? 0
console.log(`${told} avisos en ${(performance.now() - start).toFixed(0)} ms, de cien en cien`)
await queueAlerts(db, dogId, Date.now() + 1)
const again = performance.now()
await runDueJobs(db, [followAlerts])
console.log(`otra vez, sin nada que escribir: ${(performance.now() - again).toFixed(0)} ms`)
await db.destroy()
rmSync(dataDir, { recursive: true, force: true })
printTable(
  ['', 'mediana ms', 'p99', 'procesador ms'],
  Object.entries(rows).map(([name, figures]) => [
    name,
    ...[figures.median, figures.p99, figures.processor].map((ms) => ms.toFixed(3)),
  ]),
)
