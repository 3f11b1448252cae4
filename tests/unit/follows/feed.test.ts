import { dogsFollowedBy } from '#features/dogs/list/following.server.ts'
import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { countNewDogs, readFeed } from '#features/follows/feed.server.ts'
import { follow } from '#features/follows/follows.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { explainQueries } from '#tests/support/query-plans.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { assert, type Db, dbSuite, onlyOnSqlite, refusal, type WorldOf } from '#tests/support/suites.ts'

const feed = dbSuite('unit/follows/feed', { ana: member(), luis: member(), eva: member() })
type World = WorldOf<typeof feed>

const namesOf = async (db: Db, userId: string, options = {}) =>
  (await dogsFollowedBy(db, userId, options)).dogs.map(({ name }) => name)
const followAll = async ({ db, ana, luis }: World) => {
  await follow(db, ana, { kind: 'member', id: luis.id })
  await follow(db, ana, { kind: 'breed', id: 'boxer' })
  await follow(db, ana, { kind: 'zone', id: '28' })
}

feed('dogs of members, breeds and zones come newest first, once each', async (t) => {
  const { db, ana, luis, eva } = t
  await followAll(t)
  await seed(
    db,
    dog({ name: 'De Luis', owner_id: luis.id, created_at: 1 }),
    dog({ name: 'Visto por Luis', owner_id: eva.id, discoverer_id: luis.id, created_at: 2 }),
    dog({ name: 'Boxer', breed: 'Bóxer', owner_id: eva.id, created_at: 3 }),
    dog({ name: 'De Madrid', zone: 'Malasaña, Madrid', owner_id: null, user_id: null, created_at: 4 }),
    dog({ name: 'Todo', breed: 'Bóxer', zone: 'Madrid', owner_id: luis.id, created_at: 5 }),
    dog({ name: 'Otro', owner_id: eva.id, zone: 'Toledo', created_at: 6 }),
    dog({ name: 'Mío', breed: 'Bóxer', owner_id: ana.id, created_at: 7 }),
  )
  const all = ['Mío', 'Todo', 'De Madrid', 'Boxer', 'Visto por Luis', 'De Luis']
  assert.equal([await namesOf(db, ana.id), await namesOf(db, eva.id)], [all, []])
  assert.is(await countNewDogs(db, ana.id, 2, 20), 3, 'others’, after that time')
})

feed('its pages join without a gap, whatever has the same time', async (t) => {
  const { db, ana, luis, eva } = t
  await followAll(t)
  for (let i = 0; i < 40; i++)
    await seed(
      db,
      dog({
        name: `Perro ${i}`,
        owner_id: i % 2 ? luis.id : eva.id,
        breed: i % 3 ? 'Beagle' : 'Bóxer',
        zone: i % 4 ? null : 'Madrid',
        created_at: 1000 + (i % 5),
      }),
    )
  const rows = await db.selectFrom('dogs').selectAll().execute()
  const expected = rows
    .filter((row) => row.owner_id === luis.id || row.breed_slug === 'boxer' || row.province === '28')
    .toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id)
  for (const limit of [1, 3, 7, 50]) {
    const found: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await dogsFollowedBy(db, ana.id, { limit, ...(cursor && { cursor }) })
      found.push(...page.dogs.map(({ id }) => id))
      cursor = page.nextCursor
    }
    assert.equal(found, expected, `${limit} a page`)
  }
  assert.is((await refusal(dogsFollowedBy(db, ana.id, { cursor: 'x' })))[0], 422)
})

feed('one dog that is the newest of many sources hides no other', async ({ db, ana, luis, eva }) => {
  await seed(
    db,
    dog({ name: 'Viejo', breed: 'Barbet', owner_id: null, user_id: null, created_at: 1 }),
    dog({ name: 'Nuevo', breed: 'Bóxer', zone: 'Madrid', owner_id: luis.id, discoverer_id: eva.id, created_at: 9 }),
  )
  for (const { id } of [luis, eva]) await follow(db, ana, { kind: 'member', id })
  for (const id of ['boxer', 'barbet']) await follow(db, ana, { kind: 'breed', id })
  await follow(db, ana, { kind: 'zone', id: '28' })
  const ids = (await readFeed(db, ana.id, 2)).map(({ created_at }) => created_at)
  assert.equal(ids, [9, 1])
})

feed('dogs of blocked members and hidden dogs are not in it', async (t) => {
  const { db, ana, luis, eva } = t
  await followAll(t)
  const [hidden] = await seed(
    db,
    dog({ name: 'Oculto', owner_id: luis.id, created_at: 9 }),
    dog({ name: 'Con Eva', owner_id: luis.id, discoverer_id: eva.id, created_at: 8 }),
    dog({ name: 'De Eva', breed: 'Bóxer', owner_id: eva.id, created_at: 7 }),
    dog({ name: 'Visto por Eva', zone: 'Madrid', owner_id: null, discoverer_id: eva.id, created_at: 6 }),
    dog({ name: 'Libre', breed: 'Bóxer', owner_id: null, user_id: null, created_at: 5 }),
  )
  await db.transaction().execute((trx) => hideDog(trx, hidden.id, 'admin'))
  assert.equal(await namesOf(db, ana.id), ['Con Eva', 'De Eva', 'Visto por Eva', 'Libre'])
  await addBlock(db, eva, ana.id)
  assert.equal(await namesOf(db, ana.id), ['Libre'])
})

onlyOnSqlite(feed)('as many blocks as a notorious member has make no longer statement', async (t) => {
  const { db, ana, eva } = t
  await followAll(t)
  await addBlock(db, eva, ana.id)
  const [few] = (await explainQueries(db, (listening) => readFeed(listening, ana.id, 25))).slice(-1)
  const others = await seed(db, ...Array.from({ length: 4000 }, () => member()))
  await db
    .insertInto('blocks')
    .values(others.map(({ id }) => ({ user_id: id, blocked_id: ana.id, created_at: 1 })))
    .execute()
  const [many] = (await explainQueries(db, (listening) => readFeed(listening, ana.id, 25))).slice(-1)
  assert.is(many!.sql, few!.sql)
})

onlyOnSqlite(feed)('its query reads by indexes alone, and sorts what it found', async (t) => {
  const { db, ana, eva } = t
  await followAll(t)
  await addBlock(db, eva, ana.id)
  for (const cursor of [undefined, { order: 'following', value: 5, id: 'x' }])
    for (const { sql, steps } of await explainQueries(db, (listening) => readFeed(listening, ana.id, 25, cursor))) {
      // Results of the statement's own parts are scanned, tables are not.
      const scans = steps.filter((step) =>
        /^SCAN (?!json_each|\(subquery|of_each|ranked|page|sources|s\b|CONSTANT)/.test(step),
      )
      assert.equal(scans, [], sql)
    }
})
