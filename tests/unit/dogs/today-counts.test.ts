import { sqliteOf } from '#db/client.ts'
import { up } from '#db/migrations/base/2026-11-22-2039-like-hours.ts'
import { newCountLabel } from '#features/dogs/today/today.ts'
import { dogsToday, todayCounts } from '#features/dogs/today/today.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { withPlainTable } from '#tests/support/plain-tables.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { assert, dbSuite, dog, insert, listDriftedCounts, member, onlyOnSqlite, seed } from '#tests/support/suites.ts'

const today = dbSuite('unit/dogs/today-counts')

/** Ana, her dog, and what gives it a like at an hour. */
async function likes(...times: string[]) {
  const db = freshDb()
  const people = await seed(db, dog({ created_at: 1 }), ...times.map(() => member()))
  const [toby, ...fans] = people
  for (const [i, time] of times.entries())
    await insert(db, 'dog_likes_all', {
      id: `l${i}`,
      dog_id: toby!.id,
      user_id: fans[i]!.id,
      created_at: Date.parse(time),
    })
  return db
}

today('dogs are counted over all breeds and sizes of the Madrid day', async ({ db }) => {
  const tally = (day: number, breed_slug: string, size: string, dogs: number) => ({ day, breed_slug, size, dogs })
  await insert(db, 'dog_day_tallies', [
    tally(20261120, 'beagle', '', 2),
    tally(20261120, 'beagle', 'mini', 1),
    tally(20261120, 'galgo', '', 4),
    tally(20261119, 'galgo', '', 8),
  ])
  assert.is(await dogsToday(db, Date.parse('2026-11-20T12:00:00Z')), 7)
  // 23:30 in London is already the next day in Madrid.
  assert.is(await dogsToday(db, Date.parse('2026-11-20T23:30:00Z')), 0)
})

today('likes are counted by the Madrid day, without unlikes', async () => {
  const db = await likes('2026-11-19T22:59:59Z', '2026-11-19T23:00:00Z', '2026-11-20T09:15:00Z', '2026-11-20T09:45:00Z')
  const noon = Date.parse('2026-11-20T12:00:00Z')
  assert.equal(await todayCounts(db, noon), { dogs: 0, likes: 3 })
  assert.is((await todayCounts(db, Date.parse('2026-11-20T23:30:00Z'))).likes, 0)
  await db.deleteFrom('dog_likes_all').where('id', '=', 'l2').execute()
  assert.is((await todayCounts(db, noon)).likes, 2)
  assert.equal(await listDriftedCounts(db), [])
})

today('days of 25 and of 23 hours are counted completely', async () => {
  // Summer time ends on 25 October 2026 and begins on 28 March 2027.
  const autumn = await likes('2026-10-24T21:59:00Z', '2026-10-24T22:00:00Z', '2026-10-25T22:59:00Z')
  assert.is((await todayCounts(autumn, Date.parse('2026-10-25T22:59:30Z'))).likes, 2)
  const spring = await likes('2027-03-27T22:59:00Z', '2027-03-27T23:00:00Z', '2027-03-28T21:59:00Z')
  assert.is((await todayCounts(spring, Date.parse('2027-03-28T21:59:30Z'))).likes, 2)
})

onlyOnSqlite(today)('reads nothing that grows with the community', async () => {
  const db = await likes('2026-11-20T09:15:00Z')
  const plans = await explainQueries(db, (db) => todayCounts(db))
  assert.is(plans.length, 2)
  assert.equal(findSlowSteps(plans), [])
  for (const { steps } of plans)
    assert.match(steps.join(), /^SEARCH (dog_day_tallies|like_hour_tallies) USING (INTEGER )?PRIMARY KEY/)
})

onlyOnSqlite(today)('the migration counts existing likes', async () => {
  const db = await likes('2026-11-20T09:15:00Z', '2026-11-20T09:45:00Z', '2026-11-20T10:00:00Z')
  sqliteOf(db).exec('DROP TABLE like_hour_tallies')
  await withPlainTable(db, 'dog_likes', () => up(db))
  assert.equal(await listDriftedCounts(db), [])
  assert.equal(
    (await db.selectFrom('like_hour_tallies').select('likes').orderBy('hour').execute()).map((row) => row.likes),
    [2, 1],
  )
})

today('a count of one has the singular noun', () => {
  assert.equal(
    [0, 1, 2].map((count) => [newCountLabel('likes', count), newCountLabel('dogs', count)].join(', ')),
    ['likes nuevos, perros nuevos', 'like nuevo, perro nuevo', 'likes nuevos, perros nuevos'],
  )
})
