import { countStatements } from '#db/statement-count.ts'
import { getDog } from '#features/dogs/dog.server.ts'
import {
  filterLikedIds,
  listLikedIds,
  like,
  listLikers,
  readLikeStates,
  newestLikers,
  unlike,
} from '#features/likes/likes.server.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { assert, dbSuite, dog, isPostgresRun, member, onlyOnSqlite, refusal, seed } from '#tests/support/suites.ts'

const likes = dbSuite('unit/likes/like-counts', {
  ana: member({ alias: 'Ana' }),
  luis: member({ alias: 'Luis' }),
  toby: dog(),
  luna: dog(),
})

likes('a like counts for the dog and for its giver', async ({ db, ana, luis, toby }) => {
  assert.equal(await like(db, ana, toby.id), { liked: true, likes: 1 })
  assert.equal(await like(db, luis, toby.id), { liked: true, likes: 2 })
  assert.is((await getDog(db, toby.id)).likes, 2)
  const profile = await db.selectFrom('profiles').select('likes_count').where('id', '=', ana.id).executeTakeFirst()
  assert.is(profile?.likes_count, 1)
})

likes('a second like from the same member changes nothing, nor does a second unlike', async ({ db, ana, toby }) => {
  await like(db, ana, toby.id, 1)
  assert.equal(await like(db, ana, toby.id, 2), { liked: true, likes: 1 })
  const rows = await db.selectFrom('dog_likes').select('created_at').execute()
  assert.equal(rows, [{ created_at: 1 }])
  assert.equal(await unlike(db, ana, toby.id), { liked: false, likes: 0 })
  assert.equal(await unlike(db, ana, toby.id), { liked: false, likes: 0 })
})

likes('simultaneous likes are all counted', async ({ db, toby }) => {
  const people = await seed(db, ...Array.from({ length: 40 }, () => member()))
  await Promise.all(people.flatMap((person) => [like(db, person, toby.id), like(db, person, toby.id)]))
  assert.is((await getDog(db, toby.id)).likes, 40)
  await Promise.all(people.slice(0, 15).map((person) => unlike(db, person, toby.id)))
  assert.is((await getDog(db, toby.id)).likes, 25)
})

likes('a like of an unknown dog is 404', async ({ db, ana }) => {
  const gone = [404, 'El perro que buscas no existe o ha sido eliminado.']
  assert.equal(await refusal(like(db, ana, UNKNOWN_ID)), gone)
  assert.equal(await refusal(unlike(db, ana, UNKNOWN_ID)), gone)
  assert.equal(await refusal(listLikers(db, UNKNOWN_ID)), gone)
})

likes(
  'likers come newest first, page by page, each once, even within one millisecond',
  async ({ db, ana, luis, toby, luna }) => {
    const people = await seed(db, ...Array.from({ length: 5 }, () => member()))
    for (const person of people) await like(db, person, toby.id, 7)
    await like(db, ana, toby.id, 9)
    await like(db, luis, toby.id, 8)
    await like(db, luis, luna.id, 10)
    const seen: string[] = []
    let cursor: string | undefined
    let pages = 0
    do {
      const page = await listLikers(db, toby.id, { cursor, limit: 3 })
      seen.push(...page.likers.map((liker) => liker.id))
      cursor = page.nextCursor ?? undefined
      pages++
    } while (cursor)
    assert.is(pages, 3)
    assert.equal(seen.slice(0, 2), [ana.id, luis.id])
    assert.equal(seen.slice(2).sort(), people.map((person) => person.id).sort())
    assert.equal(await newestLikers(db, toby.id, 1), [{ id: ana.id, alias: 'Ana', emoji: '🐶' }])
    assert.is((await listLikers(db, toby.id, { limit: 7 })).nextCursor, null)
  },
)

likes('an invalid cursor of likers is 422', async ({ db, toby }) => {
  assert.equal(await refusal(listLikers(db, toby.id, { cursor: 'x' })), [422, 'La página pedida no existe.'])
})

likes('a liker without a profile has the name of members without an alias', async ({ db, toby }) => {
  const id = '11111111-1111-4111-8111-111111111111'
  await db.insertInto('users').values({ id, email: null, created_at: 1 }).execute()
  await like(db, { id }, toby.id)
  assert.equal((await listLikers(db, toby.id)).likers, [{ id, alias: 'Usuario', emoji: '🐶' }])
})

likes('lists which of some dogs a member likes, and the latest ones', async ({ db, ana, luis, toby, luna }) => {
  await like(db, ana, toby.id, 1)
  await like(db, ana, luna.id, 2)
  await like(db, luis, toby.id, 3)
  assert.equal([...(await filterLikedIds(db, luis.id, [toby.id, luna.id, UNKNOWN_ID]))], [toby.id])
  assert.equal([...(await filterLikedIds(db, luis.id, []))], [])
  assert.equal([...(await filterLikedIds(db, null, [toby.id]))], [])
  assert.equal(await readLikeStates(db, luis.id, [toby.id, luna.id, UNKNOWN_ID]), {
    [toby.id]: { liked: true, likes: 2 },
    [luna.id]: { liked: false, likes: 1 },
  })
  assert.equal(await listLikedIds(db, ana.id), [luna.id, toby.id])
  assert.equal(await listLikedIds(db, ana.id, 1), [luna.id])
})

likes(
  'a like costs nine statements, and eleven where nodes share a lock and a log',
  async ({ db, ana, luis, toby }) => {
    const [eva] = await seed(db, member())
    const costOf = async (user: { id: string }) => {
      const sent = countStatements()
      await like(db, user, toby.id)
      return countStatements() - sent
    }
    await costOf(ana)
    await costOf(luis)
    // The notification is there: the event of the like before goes.
    assert.is(await costOf(eva), isPostgresRun ? 11 : 9)
    assert.is((await listLikers(db, toby.id)).likers.length, 3)
  },
)

onlyOnSqlite(likes)('no query sorts or scans a whole table', async ({ db, ana, luis, toby }) => {
  const made = await explainQueries(db, async (db) => {
    await like(db, ana, toby.id)
    await like(db, luis, toby.id)
    const { nextCursor } = await listLikers(db, toby.id, { limit: 1 })
    await listLikers(db, toby.id, { limit: 1, cursor: nextCursor! })
    await filterLikedIds(db, ana.id, [toby.id])
    await listLikedIds(db, ana.id)
    await readLikeStates(db, ana.id, [toby.id])
    await unlike(db, ana, toby.id)
  })
  assert.ok(made.length >= 10)
  assert.equal(findSlowSteps(made), [])
})
