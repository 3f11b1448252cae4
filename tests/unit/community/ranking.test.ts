import Database from 'better-sqlite3'
import { sqliteOf, toKysely } from '#db/client.ts'
import { migrations } from '#db/migrations/index.ts'
import {
  loadCommunityTotals,
  findOwnRank,
  loadRanking,
  selectRanking,
  loadMemberRank,
} from '#features/community/community.server.ts'
import { encodeCursor } from '#lib/cursor.ts'
import { findLoadingText } from '#layouts/loading/loading-text.ts'
import { explainQueries } from '#tests/support/query-plans.ts'
import { assert, dbSuite, dog, member, onlyOnSqlite, seed } from '#tests/support/suites.ts'

const community = dbSuite('unit/community/ranking')

community('counts users, likes and breeds', async ({ db }) => {
  assert.equal(await loadCommunityTotals(db), { users: 0, likes: 0, breeds: 0 })
  const [ana, toby] = await seed(db, member(), dog({ breed: 'Beagle' }), dog({ breed: 'Caniche' }))
  await db.insertInto('dog_likes_all').values({ id: 'l1', dog_id: toby.id, user_id: ana.id, created_at: 1 }).execute()
  assert.equal(await loadCommunityTotals(db), { users: 1, likes: 1, breeds: 2 })
})

community('ranks by dogs, then by likes given, page after page', async ({ db }) => {
  const [, toby] = await seed(db, member({ alias: 'Una' }), dog(), member({ alias: 'Dos' }), dog(), dog())
  const [tres] = await seed(db, member({ alias: 'Tres' }), dog({ breed: 'Caniche' }))
  await seed(db, member({ alias: 'Cero' }))
  await db.insertInto('dog_likes_all').values({ id: 'l1', dog_id: toby.id, user_id: tres.id, created_at: 1 }).execute()
  const first = await loadRanking(db, undefined, { limit: 3 })
  const second = await loadRanking(db, first.nextCursor!, { limit: 3 })
  const line = ({ rank, alias, dogs, likes, breeds }: (typeof first.members)[0]) =>
    `${rank} ${alias} ${dogs} ${likes} ${breeds}`
  assert.equal(first.members.map(line), ['1 Dos 2 0 1', '2 Tres 1 1 1', '3 Una 1 0 1'])
  assert.equal(second.members.map(line), ['4 Cero 0 0 0'])
  assert.is(second.nextCursor, null)
})

community('a page says where the order has changed since the one before', async ({ db }) => {
  for (const alias of ['Una', 'Dos', 'Tres', 'Cuatro']) await seed(db, member({ alias }))
  const { nextCursor, members } = await loadRanking(db, undefined, { limit: 2 })
  assert.is((await loadRanking(db, nextCursor!, { limit: 2 })).isReordered, false)
  const last = (await loadRanking(db, nextCursor!, { limit: 2 })).members[1]!
  await db.updateTable('profiles_all').set({ dogs_count: 3 }).where('id', '=', last.id).execute()
  await db.updateTable('profiles_all').set({ dogs_count: 2 }).where('id', '=', members[0]!.id).execute()
  assert.is((await loadRanking(db, nextCursor!, { limit: 2 })).isReordered, true)
})

community('members with equal counts share a rank, across pages too', async ({ db }) => {
  await seed(db, member({ alias: 'Primera' }), dog(), dog())
  for (const _ of [1, 2, 3]) await seed(db, member(), dog())
  const [last] = await seed(db, member({ alias: 'Última' }))
  const first = await loadRanking(db, undefined, { limit: 2 })
  const second = await loadRanking(db, first.nextCursor!, { limit: 2 })
  const third = await loadRanking(db, second.nextCursor!, { limit: 2 })
  const ranks = [first, second, third].map((page) => page.members.map(({ rank }) => rank))
  assert.equal(ranks, [[1, 2], [2, 2], [5]])
  assert.is((await findOwnRank(db, last.id))!.rank, 5)
  assert.is(new Set([first, second, third].flatMap((page) => page.members.map(({ id }) => id))).size, 5)
})

community('each member’s own place is the rank of their row', async ({ db }) => {
  const { count, likes } = { count: 30, likes: 60 }
  const people = []
  const dogs = []
  for (let i = 0; i < count; i++) {
    const [one] = await seed(db, member())
    people.push(one)
    for (let d = 0; d < i % 4; d++) dogs.push((await seed(db, dog({ owner_id: one.id })))[0])
  }
  for (let i = 0; i < likes; i++)
    await db
      .insertInto('dog_likes_all')
      .values({ id: `l${i}`, dog_id: dogs[i % dogs.length]!.id, user_id: people[(i * 7) % 20]!.id, created_at: i })
      .onConflict((c) => c.doNothing())
      .execute()
  const all = (await loadRanking(db, undefined, { limit: 100 })).members
  assert.is(all.length, count)
  for (const row of all) {
    assert.equal(await findOwnRank(db, row.id), row)
    const before = all.filter((m) => m.dogs > row.dogs || (m.dogs === row.dogs && m.likes > row.likes)).length
    assert.is(row.rank, before + 1)
    assert.equal(await loadMemberRank(db, row.id), { rank: before + 1, members: count })
  }
  assert.is(await findOwnRank(db, 'nobody'), null)
})

onlyOnSqlite(community)(
  'a member’s own place reads the stored counts and no table of the community',
  async ({ db }) => {
    const [ana] = await seed(db, member(), dog())
    const plans = await explainQueries(db, (listening) => findOwnRank(listening, ana.id))
    assert.is(plans.length, 2)
    // The row of the counts' statement itself, and the names of its parts, read nothing.
    const steps = plans
      .flatMap((plan) => plan.steps)
      .filter((step) => !/^(SCAN CONSTANT ROW|SCALAR SUBQUERY)/.test(step))
    assert.equal(steps, [
      'SEARCH profiles_all USING INDEX sqlite_autoindex_profiles_all_1 (id=?)',
      'SEARCH ranking_dogs USING INTEGER PRIMARY KEY (rowid>?)',
      'SEARCH ranking_likes USING PRIMARY KEY (dogs=? AND likes>?)',
      'SEARCH ranking_likes USING PRIMARY KEY (dogs=? AND likes=?)',
    ])
  },
)

community('an invalid cursor is refused', async ({ db }) => {
  for (const id of ['', 'x', 'uno dos', '1.5 id'])
    try {
      await loadRanking(db, encodeCursor({ order: 'ranking', value: 1, id }))
      assert.unreachable(id)
    } catch (error) {
      assert.is((error as { status?: number }).status, 422, id)
    }
})

community('the migration counts the existing members', async () => {
  const sqlite = new Database(':memory:')
  sqlite.exec(`CREATE TABLE profiles (id TEXT PRIMARY KEY, dogs_count INTEGER, likes_count INTEGER);
    INSERT INTO profiles VALUES ('a', 2, 5), ('b', 2, 5), ('c', 0, 1)`)
  await using db = toKysely(sqlite)
  await migrations['2026-11-21-1806-ranking-counts']!.up(db)
  sqlite.exec(`DELETE FROM profiles WHERE id = 'b'; UPDATE profiles SET likes_count = 2 WHERE id = 'c'`)
  assert.equal(sqlite.prepare('SELECT * FROM ranking_dogs').raw().all(), [
    [0, 1],
    [2, 1],
  ])
  assert.equal(sqlite.prepare('SELECT * FROM ranking_likes').raw().all(), [
    [0, 2, 1],
    [2, 5, 1],
  ])
})

onlyOnSqlite(community)('the ranking reads its index and sorts nothing', ({ db }) => {
  for (const after of [undefined, { dogs: 3, likes: 2, id: 'x' }]) {
    const { sql, parameters } = selectRanking(db, 50, after).compile()
    const plan = sqliteOf(db)
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...parameters) as { detail: string }[]
    const details = plan.map((row) => row.detail).join('; ')
    assert.match(details, /USING INDEX profiles_ranking/)
    assert.not.match(details, /TEMP B-TREE/)
  }
})

community('the loading text of a slow page depends on its address', () => {
  assert.is(findLoadingText('/comunidad'), 'Cargando ranking...')
  assert.is(findLoadingText('/usuario/1'), 'Cargando perfil…')
  assert.is(findLoadingText('/razas/beagle'), 'Cargando información de la raza...')
  assert.is(findLoadingText('/beagle/toby-2'), 'Cargando perro...')
  assert.is(findLoadingText('/perros'), null)
  assert.is(findLoadingText('/api/dogs'), null)
})
