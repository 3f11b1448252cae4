import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import { openPostgres } from '#db/dialect/postgres/open.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { listDriftedCounts } from '#tests/support/maintenance/count-drift.ts'
import { answersTo, concurrentSuite, CONNECTIONS, countOf, times } from '#tests/support/postgres/concurrent-suite.ts'
import { postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { dog, seed } from '#tests/support/seed.ts'

// What another transaction holds is no reason for other likes to wait.

const likes = concurrentSuite('unit/db/concurrent-likes')

/** Runs `test` while a connection of its own holds what `statement` locks. */
async function whileLocked(url: string, [statement, id]: readonly [string, string], test: () => Promise<void>) {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('BEGIN')
    await client.query(statement, [id])
    await test()
  } finally {
    await client.end()
  }
}

for (const [name, statement] of Object.entries({
  dog: 'SELECT id FROM dogs WHERE id = $1 FOR UPDATE',
  member: 'SELECT id FROM users WHERE id = $1 FOR UPDATE',
}))
  likes(`a like whose ${name} is being changed waits alone, and the others do not`, async (t) => {
    const { db, ana, members } = t
    const [toby, luna] = await seed(db, dog({ owner_id: ana.id }), dog({ owner_id: ana.id }))
    const [, waiting, ...others] = members
    const held = [statement, name === 'dog' ? toby.id : waiting!.id] as const
    let late: Promise<{ likes: number }> | undefined
    await whileLocked(await postgresUrlOf(db), held, async () => {
      let isAnswered = false
      late = like(db, waiting!, toby.id).finally(() => (isAnswered = true))
      const rest = others.map((user) => like(db, user, luna.id))
      assert.is(countOf(await answersTo(rest), 200), others.length)
      // The next one is not held up either.
      assert.is((await like(db, waiting === others[0] ? others[1]! : ana, luna.id)).likes, others.length + 1)
      assert.is(isAnswered, false)
    })
    assert.is((await late!).likes, 1)
    assert.equal(await listDriftedCounts(db), [])
  })

/** Resolves when so many connections wait for locks. */
async function waitForWaiting(db: Db, count: number): Promise<void> {
  for (const end = Date.now() + 2000; Date.now() < end; await wait(20)) if ((await countWaiting(db)) >= count) return
  assert.unreachable(`${count} connections wait`)
}

async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql`SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

likes('likes and an unlike that update the same tallies and ranks wait for each other in one direction', async (t) => {
  const { db, ana } = t
  const [unliker, first, last] = t.members.slice(1).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const [pug, otherPug, beagle] = await seed(
    db,
    dog({ owner_id: ana.id, breed: 'Pug' }),
    dog({ owner_id: ana.id, breed: 'Pug' }),
    dog({ owner_id: ana.id, breed: 'Beagle' }),
  )
  // In another hour: it shares no other row with the likes.
  await like(db, unliker!, pug.id, Date.now() - 7_200_000)
  const { breed_slug } = await db
    .selectFrom('dogs')
    .select('breed_slug')
    .where('id', '=', pug.id)
    .executeTakeFirstOrThrow()
  const held = ['SELECT 1 FROM dog_tallies WHERE breed_slug = $1 FOR UPDATE', breed_slug] as const
  const ends: Promise<unknown>[] = []
  await whileLocked(await postgresUrlOf(db), held, async () => {
    ends.push(unlike(db, unliker!, pug.id))
    await waitForWaiting(db, 1)
    ends.push(like(db, first!, beagle.id), like(db, last!, otherPug.id))
    await waitForWaiting(db, 2)
  })
  const start = performance.now()
  await Promise.all(ends)
  // PostgreSQL looks for a deadlock after a second.
  assert.ok(performance.now() - start < 900, 'no deadlock')
  assert.equal(await listDriftedCounts(db), [])
})

likes('likes and unlikes of two nodes at once are all counted', async ({ db, ana, members }) => {
  const dogs = await seed(
    db,
    ...Array.from({ length: 12 }, (_, n) => dog({ owner_id: ana.id, breed: n % 2 ? 'Pug' : 'Beagle' })),
  )
  const second = openPostgres(await postgresUrlOf(db), { maxConnections: CONNECTIONS })
  for (let round = 0; round < 4; round++) {
    const answers = await answersTo(
      times(240, (n) => {
        const node = n % 2 ? db : second
        const user = members[1 + ((n * 7 + round) % (CONNECTIONS - 1))]!
        const { id } = dogs[(n * 5 + round) % dogs.length]!
        return round % 2 && n % 3 === 0 ? unlike(node, user, id) : like(node, user, id)
      }),
    )
    assert.is(countOf(answers, 200), answers.length)
  }
  await second.destroy()
  assert.equal(await listDriftedCounts(db), [])
})

likes.run()
