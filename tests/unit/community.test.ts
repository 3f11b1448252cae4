import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import { sqliteOf } from '#db/client.ts'
import { communityTotals, ranking, rankingRows } from '#features/community/community.server.ts'
import { loadingText } from '#layouts/loading.ts'
import { freshDb } from '#tests/support/db.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

const community = suite<{ db: Db }>('community')

community.before.each((t) => {
  t.db = freshDb()
})

community('counts users, likes and breeds', async ({ db }) => {
  assert.equal(await communityTotals(db), { users: 0, likes: 0, breeds: 0 })
  const [ana, toby] = await seed(db, member(), dog({ breed: 'Beagle' }), dog({ breed: 'Caniche' }))
  await db.insertInto('dog_likes').values({ id: 'l1', dog_id: toby.id, user_id: ana.id, created_at: 1 }).execute()
  assert.equal(await communityTotals(db), { users: 1, likes: 1, breeds: 2 })
})

community('ranks by dogs, then by likes given, page after page', async ({ db }) => {
  const [, toby] = await seed(db, member({ alias: 'Una' }), dog(), member({ alias: 'Dos' }), dog(), dog())
  const [tres] = await seed(db, member({ alias: 'Tres' }), dog({ breed: 'Caniche' }))
  await seed(db, member({ alias: 'Cero' }))
  await db.insertInto('dog_likes').values({ id: 'l1', dog_id: toby.id, user_id: tres.id, created_at: 1 }).execute()
  const first = await ranking(db, undefined, 3)
  const second = await ranking(db, first.nextCursor!, 3)
  const line = ({ rank, alias, dogs, likes, breeds }: (typeof first.members)[0]) =>
    `${rank} ${alias} ${dogs} ${likes} ${breeds}`
  assert.equal(first.members.map(line), ['1 Dos 2 0 1', '2 Tres 1 1 1', '3 Una 1 0 1'])
  assert.equal(second.members.map(line), ['4 Cero 0 0 0'])
  assert.is(second.nextCursor, null)
})

community('the ranking reads its index and sorts nothing', ({ db }) => {
  for (const after of [undefined, { dogs: 3, likes: 2, id: 'x' }]) {
    const { sql, parameters } = rankingRows(db, 50, after).compile()
    const plan = sqliteOf(db)
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...parameters) as { detail: string }[]
    const details = plan.map((row) => row.detail).join('; ')
    assert.match(details, /USING INDEX profiles_ranking/)
    assert.not.match(details, /TEMP B-TREE/)
  }
})

community('says what a slow page is', () => {
  assert.is(loadingText('/comunidad'), 'Cargando ranking...')
  assert.is(loadingText('/usuario/1'), 'Cargando perfil…')
  assert.is(loadingText('/razas/beagle'), 'Cargando información de la raza...')
  assert.is(loadingText('/beagle/toby-2'), 'Cargando perro...')
  assert.is(loadingText('/perros'), null)
  assert.is(loadingText('/api/dogs'), null)
})

community.run()
