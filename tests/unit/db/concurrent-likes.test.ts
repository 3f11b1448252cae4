import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import { openPostgres } from '#db/dialect/postgres/open.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { listDriftedCounts } from '#tests/support/maintenance/count-drift.ts'
import { answersTo, concurrentSuite, CONNECTIONS, countOf, times } from '#tests/support/postgres/concurrent-suite.ts'
import { postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { dog, seed } from '#tests/support/seed.ts'

// Likes are written in groups, of which each node has one at a time. What another transaction holds is no reason for the others to wait.

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
  likes(`a like whose ${name} is being changed waits alone, and the others of its group do not`, async (t) => {
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
      // The next group is not held up either.
      assert.is((await like(db, waiting === others[0] ? others[1]! : ana, luna.id)).likes, others.length + 1)
      assert.is(isAnswered, false)
    })
    assert.is((await late!).likes, 1)
    assert.equal(await listDriftedCounts(db), [])
  })

likes('a group whose connection is cut writes nothing, says so, and is given again', async ({ db, ana, members }) => {
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  const others = members.slice(1)
  // The first count that the group updates.
  const held = ['SELECT id FROM profiles WHERE id = $1 FOR UPDATE', others[0]!.id] as const
  const url = await postgresUrlOf(db)
  const [first, ...rest] = others.map((user) => user)
  await whileLocked(url, held, async () => {
    const group = [first!, ...rest].map((user) => like(db, user, toby.id))
    const errors = Promise.all(group.map((each) => each.catch((error: unknown) => error)))
    for (let cut = 0; cut === 0; await wait(20)) {
      const { rows } = await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db)
      cut = rows.length
    }
    for (const error of await errors) assert.is(findStorageFailure(error), 'unavailable', String(error))
  })
  for (const table of ['dog_likes', 'notifications', 'events'] as const)
    assert.equal(await db.selectFrom(table).selectAll().execute(), [])
  const states = await Promise.all(others.map((user) => like(db, user, toby.id)))
  assert.equal(new Set(states.map((state) => state.likes)), new Set(others.map((_, n) => n + 1)))
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

likes(
  'a group and an unlike that update the same tallies and ranks wait for each other in one direction',
  async (t) => {
    const { db, ana } = t
    const [unliker, first, last] = t.members.slice(1).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const [pug, otherPug, beagle] = await seed(
      db,
      dog({ owner_id: ana.id, breed: 'Pug' }),
      dog({ owner_id: ana.id, breed: 'Pug' }),
      dog({ owner_id: ana.id, breed: 'Beagle' }),
    )
    // In another hour: it shares no other row with the group's.
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
  },
)

likes('two groups that change the counts of the same members wait for each other in one direction', async (t) => {
  const { db, ana } = t
  const dogs = await seed(db, ...Array.from({ length: 30 }, () => dog({ owner_id: ana.id })))
  const [first, ...others] = t.members.slice(1).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const held = ['SELECT id FROM profiles WHERE id = $1 FOR UPDATE', first!.id] as const
  const ends: Promise<unknown>[] = []
  await whileLocked(await postgresUrlOf(db), held, async () => {
    // The member whose row is held comes first in one group, and last in the one that waits behind it.
    ends.push(...[first!, ...others].map((user, i) => like(db, user, dogs[i]!.id)))
    await waitForWaiting(db, 1)
    ends.push(...[...others, first!].map((user, i) => like(db, user, dogs[15 + i]!.id)))
    await waitForWaiting(db, 2)
  })
  const start = performance.now()
  await Promise.all(ends)
  // PostgreSQL looks for a deadlock after a second.
  assert.ok(performance.now() - start < 900, 'no deadlock')
  assert.equal(await listDriftedCounts(db), [])
})

likes('all likes of a dog wait for its group, and none of them finds it locked', async ({ db, ana, members }) => {
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  const held = ['SELECT id FROM profiles WHERE id = $1 FOR UPDATE', members[1]!.id] as const
  const ends: Promise<{ likes: number }>[] = []
  await whileLocked(await postgresUrlOf(db), held, async () => {
    ends.push(like(db, members[1]!, toby.id))
    await waitForWaiting(db, 1)
    ends.push(...members.slice(2).map((user) => like(db, user, toby.id)))
    await wait(100)
    assert.is(await countWaiting(db), 1)
  })
  const counts = (await Promise.all(ends)).map((state) => state.likes)
  assert.equal(
    counts.toSorted((a, b) => a - b),
    members.slice(1).map((_, n) => n + 1),
  )
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
