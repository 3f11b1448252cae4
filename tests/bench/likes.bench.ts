/**
 * Likes over HTTP from many members: 500 a second for 20 seconds, each at its own time. To reach (issue 3): sustained,
 * none lost, counts exact. Then as fast as the server takes them, for the room above.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#db/client.ts'
import { sendRequest, sendAtRate } from './lib/constant-rate.ts'
import { percentilesOf, residentMB, printTable } from '#tests/support/load/measure.ts'
import { createBenchWorld } from './lib/signed-in-members.ts'
import { startMeasuredServer } from '#tests/support/load/measured-server.ts'

const LIKES_PER_SECOND = 500
const SECONDS = 20
const MEMBERS = 400

const dataDir = mkdtempSync(join(tmpdir(), 'perrario-bench-likes-'))
const { dogs, cookies } = await createBenchWorld(dataDir, 1000, MEMBERS)
const before = await countLikes()
const server = await startMeasuredServer({ DATA_DIR: dataDir })

// Every member likes one dog after another, so that each request is a like of its own.
const like = (n: number) => {
  const member = n % MEMBERS
  const dog = dogs[(Math.floor(n / MEMBERS) + member) % dogs.length]!
  return sendRequest(`${server.url}/api/dogs/${dog.id}/like`, 'PUT', cookies[member]).then(() => {})
}
for (let n = 0; n < 200; n++) await like(n)
const { times, failures, seconds } = await sendAtRate(LIKES_PER_SECOND, SECONDS, (n) => like(n + 200))
const sent = LIKES_PER_SECOND * SECONDS
const { median, p99 } = percentilesOf(times)
printTable(
  ['', ''],
  [
    ['likes asked for a second', LIKES_PER_SECOND],
    ['answered a second', times.length / seconds],
    ['failed', failures],
    ['median ms', median],
    ['p99 ms', p99],
    ['memory MB', await residentMB(server.pid())],
  ],
)
const start = performance.now()
const more = 4000
let next = 200 + sent
await Promise.all(
  Array.from({ length: 32 }, async () => {
    while (next < 200 + sent + more) await like(next++)
  }),
)
console.log(`\nsin pausa: ${(more / ((performance.now() - start) / 1000)).toFixed(0)} likes por segundo`)
await server.stop()
const after = await countLikes()
const asked = 200 + sent + more - failures
console.log(
  `filas nuevas ${after.rows - before.rows} de ${asked} (las repetidas no cuentan), votos ${after.votes - before.votes}, ` +
    `tallas ${after.tallies - before.tallies}, perfiles ${after.profiles - before.profiles}, avisados ${after.events - before.events}`,
)
rmSync(dataDir, { recursive: true, force: true })

/** The same likes, counted in four places. */
async function countLikes() {
  const db = openDatabase(join(dataDir, 'perrario.db'))
  const one = async (rows: Promise<{ n: unknown } | undefined>) => Number((await rows)?.n ?? 0)
  const found = {
    rows: await one(
      db
        .selectFrom('dog_likes')
        .select((q) => q.fn.countAll().as('n'))
        .executeTakeFirst(),
    ),
    votes: await one(
      db
        .selectFrom('dogs')
        .select((q) => q.fn.sum('votes').as('n'))
        .executeTakeFirst(),
    ),
    tallies: await one(
      db
        .selectFrom('dog_tallies')
        .select((q) => q.fn.sum('likes').as('n'))
        .executeTakeFirst(),
    ),
    profiles: await one(
      db
        .selectFrom('profiles')
        .select((q) => q.fn.sum('likes_count').as('n'))
        .executeTakeFirst(),
    ),
    events: await one(
      db
        .selectFrom('events')
        .select((q) => q.fn.countAll().as('n'))
        .where('type', '=', 'like')
        .executeTakeFirst(),
    ),
  }
  await db.destroy()
  return found
}
