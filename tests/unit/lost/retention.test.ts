import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { deleteExpiredLostRows } from '#features/lost/retention.server.ts'
import { addSighting } from '#features/sightings/add.server.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { explainQueries } from '#tests/support/query-plans.ts'
import { assert, dbSuite, dog, member, onlyOnSqlite, seed } from '#tests/support/suites.ts'

const retention = dbSuite('unit/lost/retention')

retention('a case of no dog goes with its history; one of a hidden dog stays', async ({ db }) => {
  const [ana, toby, luna, kira] = await seed(db, member(), dog(), dog(), dog())
  for (const { id } of [toby, luna, kira]) await addLostCase(db, { dog_id: id, owner_id: ana.id })
  await db.transaction().execute((trx) => hideDog(trx, luna.id, 'admin'))
  await db.deleteFrom('dogs_all').where('id', '=', kira.id).execute()
  assert.is(await deleteExpiredLostRows(db, Date.now()), 2)
  for (const table of ['lost_cases', 'lost_history'] as const) {
    const rows = await db.selectFrom(table).select('dog_id').execute()
    assert.equal(rows.map(({ dog_id }) => dog_id).toSorted(), [toby.id, luna.id].toSorted(), table)
  }
})

onlyOnSqlite(retention)('each row looks its dog up, and no list of all dogs is made', async ({ db }) => {
  const plans = await explainQueries(db, (listening) => deleteExpiredLostRows(listening, Date.now()))
  const steps = plans.filter(({ sql }) => sql.includes('EXISTS')).flatMap((plan) => plan.steps)
  assert.is(steps.filter((step) => /^SEARCH d USING (COVERING )?INDEX \S+ \(id=\?\)/.test(step)).length, 2)
  assert.not.match(JSON.stringify(plans), 'LIST SUBQUERY')
})

onlyOnSqlite(retention)('the sightings of a case in the last day are read by an index', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog())
  await addLostCase(db, { dog_id: toby.id, owner_id: ana.id })
  const input = { at: Date.now(), point: null, zone: 'Getafe, Madrid', words: '' }
  const sighting = { dogId: toby.id, input, photo: null, userId: null, network: '203.0.113.7' }
  const plans = await explainQueries(db, (listening) => addSighting(listening, sighting))
  const [plan] = plans.filter(({ sql }) =>
    sql.startsWith('select "created_at", "member_id", "state" from "sightings_all"'),
  )
  assert.match(plan?.steps[0] ?? '', /USING (COVERING )?INDEX sightings_case_created \(case_id=\? AND created_at>\?\)/)
})
