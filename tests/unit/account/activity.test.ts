import { loadActivity } from '#features/account/activity/activity.server.ts'
import {
  type Activity,
  countUnread,
  counterTexts,
  startOfLocalDay,
  pruneReadList,
  todaysDogs,
  todaysLikes,
} from '#features/account/activity/activity.ts'
import { like } from '#features/likes/likes.server.ts'
import { explainQueries, findSlowSteps } from '#tests/support/query-plans.ts'
import { assert, dbSuite, dog, member, onlyOnSqlite, pick, pluck, seed } from '#tests/support/suites.ts'

const news = dbSuite('unit/account/activity')

const HOUR_MS = 3_600_000

news('lists likes of the last day on my dogs by others, newest first, and the 20 newest dogs', async ({ db }) => {
  const now = Date.now()
  const [ana, toby, found, luis, his] = await seed(
    db,
    member({ alias: 'Ana' }),
    dog({ name: 'Toby', created_at: now - 3 }),
    dog({ name: '???', owner_id: null, created_at: now - 2 }),
    member({ alias: 'Luis' }),
    dog({ name: 'Suyo', created_at: now - 1 }),
  )
  await like(db, luis, toby.id, now - HOUR_MS)
  await like(db, luis, his.id, now)
  await like(db, ana, toby.id, now)
  const [eva] = await seed(db, member({ alias: 'Eva' }))
  await like(db, eva, toby.id, now - 26 * HOUR_MS)
  const { likes, dogs } = await loadActivity(db, ana.id, now)
  assert.equal(pick(likes, 'alias', 'dog', 'path', 'created_at', 'user_id'), [
    ['Luis', 'Toby', toby.path, now - HOUR_MS, luis.id],
  ])
  assert.equal(pick(dogs, 'name', 'alias', 'path'), [
    ['Suyo', 'Luis', his.path],
    ['Sin nombre', 'Alguien', found.path],
    ['Toby', 'Ana', toby.path],
  ])
  await seed(db, ...Array.from({ length: 25 }, () => dog()))
  assert.is((await loadActivity(db, ana.id)).dogs.length, 20)
})

onlyOnSqlite(news)('reads indexes, never a whole table', async ({ db }) => {
  const [ana] = await seed(db, member(), dog(), dog())
  const plans = await explainQueries(db, (listening) => loadActivity(listening, ana.id))
  assert.is(plans.length, 2)
  const [likes, dogs] = plans.map(({ steps }) => steps.join('\n'))
  assert.not.match(likes!, /SCAN blocks/)
  assert.match(likes!, /SEARCH blocks USING/)
  assert.match(likes!, /SEARCH m USING .*\(user_id=\?/)
  assert.match(likes!, /SEARCH dog_likes_all USING INDEX dog_likes_dog \(dog_id=\? AND created_at>\?/)
  assert.match(dogs!, /USING INDEX dogs_created/)
  // Only today's likes of the member's own dogs are put in order; the dogs come in order.
  assert.not.match(dogs!, /TEMP B-TREE/)
  assert.equal(findSlowSteps([plans[1]!]), [])
})

news('counts today’s by the device’s midnight, without one’s own and read ones', () => {
  const midnight = startOfLocalDay(new Date(2026, 10, 21, 15, 30).getTime())
  assert.is(midnight, new Date(2026, 10, 21).getTime())
  const one = { dog_id: 'd', user_id: 'u', alias: 'Luis', dog: 'Toby', path: null }
  const two = { name: 'Toby', breed: 'Beagle', discoverer_id: null, alias: 'Luis', path: null }
  const activity: Activity = {
    likes: [
      { ...one, id: 'today', created_at: midnight },
      { ...one, id: 'yesterday', created_at: midnight - 1 },
    ],
    dogs: [
      { ...two, id: 'his', owner_id: 'luis', created_at: midnight + 1 },
      { ...two, id: 'mine', owner_id: 'ana', created_at: midnight + 1 },
      { ...two, id: 'found', owner_id: null, discoverer_id: 'ana', created_at: midnight + 1 },
      { ...two, id: 'old', owner_id: 'luis', created_at: midnight - 1 },
    ],
  }
  const likes = todaysLikes(activity, midnight)
  assert.equal(pluck(likes, 'id'), ['today'])
  assert.equal(pluck(todaysDogs(activity, midnight, 'ana'), 'id'), ['his'])
  assert.is(countUnread(likes, {}), 1)
  assert.is(countUnread(likes, { today: midnight }), 0)
  assert.is(countUnread([{ id: 'toString' }], {}), 1)
})

news('a read list retains only today’s, whatever storage has', () => {
  assert.equal(pruneReadList({ a: 100, b: 99, c: 'x' as unknown as number }, 100), { a: 100 })
})

news('the counter has the singular and plural noun, and is capped at 99+', () => {
  assert.equal(counterTexts('likes', 1), ['1', 'like nuevo'])
  assert.equal(counterTexts('likes', 0), ['0', 'likes nuevos'])
  assert.equal(counterTexts('dogs', 1), ['1', 'perro nuevo'])
  assert.equal(counterTexts('dogs', 120), ['99+', 'perros nuevos'])
})
