import { sqliteOf } from '#db/client.ts'
import { getDog, findDogPeople } from '#features/dogs/dog.server.ts'
import { type DogQuery, SORTS } from '#features/dogs/dogs.ts'
import { dogsLikedBy, dogsOfMember, listDogs, newestDogs } from '#features/dogs/list/list.server.ts'
import { findByPath } from '#features/dogs/paths.server.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { assert, dog, type Dog, insert, member, seed, suite } from '#tests/support/suites.ts'

const plans = suite('unit/dogs/query-plans')

const db = sqliteDb()
const [ana, ...dogs] = await seed(
  db,
  member(),
  ...Array.from({ length: 4 }, (_, i) => dog({ size: 'mini', weight: i + 1, age: i + 1, created_at: i })),
)
for (const [i, { id }] of (dogs as Dog[]).entries())
  await insert(db, 'dog_likes_all', { id: `l${i}`, dog_id: id, user_id: ana.id, created_at: i })

/** First page, and the page after it. */
const twoPages = async (page: (cursor?: string) => Promise<{ nextCursor: string | null }>) => {
  const first = await page()
  assert.ok(first.nextCursor, 'there must be a second page to plan')
  await page(first.nextCursor)
}

plans('every order of the list under every filter reads an index in order', async () => {
  const filters: DogQuery[] = [{}, { breed: 'beagle' }, { size: 'mini' }, { breed: 'beagle', size: 'mini' }]
  for (const sort of SORTS)
    for (const filter of filters) {
      const made = await explainQueries(db, (db) =>
        twoPages((cursor) => listDogs(db, { ...filter, sort, limit: 2, cursor })),
      )
      assert.ok(made.length >= 12)
      assert.equal(findSlowSteps(made), [], `${sort} ${JSON.stringify(filter)}`)
      // The page itself must use the index of exactly its filters and order, not one that it then filters or sorts.
      const column = { recent: 'created', votes: 'votes', weight: 'kilograms', age: 'age' }[sort.split('-')[0] as 'age']
      const index = ['dogs', filter.breed && 'breed', filter.size && 'size', column].filter(Boolean).join('_')
      for (const { steps } of made.filter(({ sql }) => sql.startsWith('select * from "dogs"')))
        assert.match(steps[0]!, new RegExp(`USING INDEX ${index}\\b`), `${sort} ${steps[0]}`)
    }
})

plans('lists of a member’s dogs, of likes, of the newest and a dog’s page read indexes', async () => {
  const made = await explainQueries(db, async (db) => {
    await twoPages((cursor) => dogsOfMember(db, ana.id, { limit: 2, cursor }))
    await twoPages((cursor) => dogsOfMember(db, ana.id, { limit: 2, cursor, breed: 'beagle' }))
    await twoPages((cursor) => dogsLikedBy(db, ana.id, { limit: 2, cursor }))
    await newestDogs(db)
    const found = await getDog(db, (dogs as Dog[])[0]!.id)
    await findByPath(db, 'beagle', found.path.split('/')[2]!)
    await findDogPeople(db, found)
  })
  assert.ok(made.length > 20)
  assert.equal(findSlowSteps(made), [])
})

plans('the test detects a scan and a sort', async () => {
  const made = await explainQueries(db, async (db) => {
    await db.selectFrom('dogs').selectAll().where('zone', '=', 'Cádiz').execute()
    await db.selectFrom('dogs').selectAll().orderBy('zone').limit(3).execute()
  })
  assert.is(findSlowSteps(made).length, 2)
  assert.ok(sqliteOf(db).open)
})
