import { openPostgres } from '#db/dialect/postgres/open.ts'
import { like, unlike } from '#features/likes/likes.server.ts'
import { answersTo, concurrentSuite, CONNECTIONS, countOf, times } from '#tests/support/postgres/concurrent-suite.ts'
import { postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { assert, dog, listDriftedCounts, seed } from '#tests/support/suites.ts'

const likes = concurrentSuite('unit/db/concurrent-likes')

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
