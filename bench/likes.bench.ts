/**
 * Likes over HTTP from many members: 500 a second for 20 seconds, each at its own time. To reach (issue 3): sustained,
 * none lost, counts exact. Then as fast as the server takes them, for the room above.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#db/client.ts'
import { ask, atRate } from './lib/load.ts'
import { figures, residentMB, table } from './lib/measure.ts'
import { worldOf } from './lib/members.ts'
import { startMeasured } from './lib/server.ts'

const RATE = 500
const SECONDS = 20
const MEMBERS = 400

const dataDir = mkdtempSync(join(tmpdir(), 'perrario-bench-likes-'))
const { dogs, cookies } = await worldOf(dataDir, 1000, MEMBERS)
const before = await counts()
const server = await startMeasured({ DATA_DIR: dataDir })

// Every member likes one dog after another, so that each request is a like of its own.
const like = (n: number) => {
  const member = n % MEMBERS
  const dog = dogs[(Math.floor(n / MEMBERS) + member) % dogs.length]!
  return ask(`${server.url}/api/dogs/${dog.id}/like`, 'PUT', cookies[member]).then(() => {})
}
for (let n = 0; n < 200; n++) await like(n)
const { times, failures, seconds } = await atRate(RATE, SECONDS, (n) => like(n + 200))
const sent = RATE * SECONDS
const { median, p99 } = figures(times)
table(
  ['', ''],
  [
    ['likes asked for a second', RATE],
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
const after = await counts()
const asked = 200 + sent + more - failures
console.log(
  `filas nuevas ${after.rows - before.rows} de ${asked} (las repetidas no cuentan), votos ${after.votes - before.votes}, ` +
    `tallas ${after.tallies - before.tallies}, perfiles ${after.profiles - before.profiles}, avisados ${after.events - before.events}`,
)
rmSync(dataDir, { recursive: true, force: true })

/** The same likes, counted in four places. */
async function counts() {
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
