import { sqliteOf } from '#db/client.ts'
import { deleteDog, updateDog } from '#features/dogs/write/edit.server.ts'
import { selectChangedRows } from '#features/map/index/dog-rows.server.ts'
import { queryStore, dogNames, PLACES, storeSuite, WHOLE_WORLD } from '#tests/support/map/store-suite.ts'
import { assert, dog, member, onlyOnSqlite, seed } from '#tests/support/suites.ts'

const map = storeSuite('unit/map/store-changes')

map('a changed weight counts from the next query on', async (w) => {
  const [ana, toby] = await seed(w.db, member(), dog({ zone: 'Madrid', weight: null, created_at: 1 }))
  await w.catchUp()
  const listed = async () => (await w.store.page({ areas: WHOLE_WORLD, limit: 5, sort: 'weight-desc' })).listed
  assert.is(await listed(), 0)
  await updateDog(w.db, ana, toby.id, { weight: 12.5 })
  await w.catchUp()
  assert.is(await listed(), 1)
})

map('additions, moves, filter changes and deletions are applied', async (w) => {
  const [ana, toby, luna] = await seed(
    w.db,
    member(),
    dog({ name: 'Toby', zone: 'Madrid', created_at: 1 }),
    dog({ name: 'Luna', zone: 'Madrid', created_at: 2, size: 'mini' }),
  )
  await w.catchUp()
  await seed(w.db, dog({ name: 'Nuevo', zone: 'Vigo', owner_id: ana.id }))
  // A backup or a script may bring dogs with an old date.
  await seed(w.db, dog({ name: 'Viejo', zone: 'Vigo', owner_id: ana.id, created_at: 5 }))
  await updateDog(w.db, ana, toby.id, { zone: 'Palma' })
  await updateDog(w.db, ana, luna.id, { size: 'gigante' })
  await w.catchUp()
  assert.equal(dogNames(await queryStore(w)), ['Luna', 'Nuevo', 'Toby', 'Viejo'])
  assert.equal(dogNames(await queryStore(w, 16, {}, [[2, 39, 3, 40]])), ['Toby'])
  assert.equal(dogNames(await queryStore(w, 16, { size: 'gigante' })), ['Luna'])
  await deleteDog(w.db, w.dir, ana, toby.id)
  await w.catchUp()
  assert.equal(dogNames(await queryStore(w)), ['Luna', 'Nuevo', 'Viejo'])
  assert.is((await queryStore(w)).visible, 3)
})

map('a deletion beside an addition is detected', async (w) => {
  const [ana, toby] = await seed(w.db, member(), dog({ name: 'Toby', zone: 'Madrid' }))
  await w.catchUp()
  await deleteDog(w.db, w.dir, ana, toby.id)
  await seed(w.db, dog({ name: 'Nuevo', zone: 'Madrid', owner_id: ana.id }))
  await w.catchUp()
  assert.equal([dogNames(await queryStore(w)), (await queryStore(w)).visible], [['Nuevo'], 1])
})

map('a deleted dog is left out at once, and a new name is shown at once', async (w) => {
  const [ana, toby, luna] = await seed(w.db, member(), dog({ zone: 'Madrid' }), dog({ zone: 'Madrid' }))
  await w.catchUp()
  await updateDog(w.db, ana, luna.id, { name: 'Otra' })
  await deleteDog(w.db, w.dir, ana, toby.id)
  assert.equal(dogNames(await queryStore(w)), ['Otra'])
})

map('likes do not make it stale, and a zone is looked up once', async (w) => {
  const [, toby] = await seed(w.db, member(), dog({ zone: 'Madrid' }), dog({ zone: 'Madrid' }), dog({ zone: 'Narnia' }))
  await w.catchUp()
  await w.db.updateTable('dogs_all').set({ votes: 7 }).where('id', '=', toby.id).execute()
  await w.store.refresh()
  assert.is(w.store.isStale, false)
  assert.equal(w.lookedUp.sort(), ['Madrid', 'Narnia'])
  assert.is(
    (await queryStore(w)).features.some(({ properties }) => 'likes' in properties && properties.likes === 7),
    true,
  )
})

onlyOnSqlite(map)('changes are read from an index', ({ db }) => {
  const { sql } = selectChangedRows(db, 5).compile()
  const [step] = sqliteOf(db).prepare(`EXPLAIN QUERY PLAN ${sql}`).all(5) as { detail: string }[]
  assert.is(step!.detail, 'SEARCH dogs_all USING INDEX dogs_updated (updated_at>?)')
})

map('a clock that is set back hides no change', async (w) => {
  const now = Date.now()
  const [ana, toby] = await seed(w.db, member(), dog({ name: 'Toby', zone: 'Madrid' }))
  await w.catchUp(now + 86_400_000)
  await updateDog(w.db, ana, toby.id, { zone: 'Vigo', name: 'Rex' }, now)
  await w.catchUp(now)
  const [found] = (await queryStore(w)).features
  assert.ok(Math.abs(found!.geometry.coordinates[0]! - PLACES.Vigo!.lon) < 0.1, 'he stands in Vigo')
})
