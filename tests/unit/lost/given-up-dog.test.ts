import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db } from '#db/client.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { readAlertedCase } from '#features/lost/alerts/alerted-case.server.ts'
import { getSightableCase } from '#features/sightings/add.server.ts'
import { findSightedDog } from '#features/sightings/sighted-dog.server.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { freshDb } from '#tests/support/db.ts'
import { addLostCase } from '#tests/support/lost/lost-case.ts'
import { refusal } from '#tests/support/refusal.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

interface World {
  db: Db
  ana: CurrentUser
  bea: CurrentUser
  toby: Dog
  id: string
}

const given = suite<World>('unit/lost/given-up-dog')
given.before.each(async (t) => {
  t.db = freshDb()
  ;[t.ana, t.bea] = await seed(t.db, member(), member())
  ;[t.toby] = await seed(t.db, dog({ owner_id: t.ana.id }))
  t.id = await addLostCase(t.db, { dog_id: t.toby.id, owner_id: t.ana.id })
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
