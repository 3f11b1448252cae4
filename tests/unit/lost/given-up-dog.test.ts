import { readAlertedCase } from '#features/lost/alerts/alerted-case.server.ts'
import { getSightableCase } from '#features/sightings/add.server.ts'
import { findSightedDog } from '#features/sightings/sighted-dog.server.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { assert, dbSuite, dog, member, refusal, seed } from '#tests/support/suites.ts'

const given = dbSuite('unit/lost/given-up-dog', { ana: member(), bea: member() }, async ({ db, ana }) => {
  const [toby] = await seed(db, dog({ owner_id: ana.id }))
  const id = await addLostCase(db, { dog_id: toby.id, owner_id: ana.id })
  return { toby, id }
})

/** A case that a job has not yet deleted. */
given('nobody is alerted of a dog that its owner gave up, and no sighting of it reaches them', async (t) => {
  const read = () => readAlertedCase(t.db, t.id, Date.now())
  assert.is((await read())?.ownerId, t.ana.id)
  assert.is((await findSightedDog(t.db, t.toby.id))?.caseId, t.id)
  for (const owner_id of [t.bea.id, null]) {
    await t.db.updateTable('dogs_all').set({ owner_id }).where('id', '=', t.toby.id).execute()
    assert.is(await read(), null)
    assert.is((await findSightedDog(t.db, t.toby.id))?.caseId, null)
    assert.is((await refusal(getSightableCase(t.db, t.toby.id, null)))[0], 409)
  }
})

given.run()
