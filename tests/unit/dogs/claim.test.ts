import { claimDog } from '#features/dogs/write/claim.server.ts'
import { addDogWithFiles } from '#tests/support/dogs/dogs-fixture.ts'
import { assert, dataSuite, member, pluck, refusal, seed } from '#tests/support/suites.ts'

const claim = dataSuite('unit/dogs/claim')

claim('the token assigns the dog to the member, once', async ({ db, dir }) => {
  const [ana, luis] = await seed(db, member(), member())
  for (const [ownershipType, wanted] of [
    ['owner', [ana.id, null]],
    ['discoverer', [null, ana.id]],
  ] as const) {
    const { dog: toby, association } = await addDogWithFiles(db, dir, null, 1)
    const token = association!.token
    const wrong = claimDog(db, luis.id, toby.id, { ownershipType, token: `${token}x` })
    assert.equal(await refusal(wrong), [403, 'Solo quien añadió este perro puede asociarlo a su cuenta.'])
    const mine = await claimDog(db, ana.id, toby.id, { ownershipType, token })
    assert.equal([mine.owner_id, mine.discoverer_id, mine.user_id], [...wanted, ana.id])
    const taken = [409, 'Este perro ya está asociado a una cuenta.']
    for (const id of [ana.id, luis.id])
      assert.equal(await refusal(claimDog(db, id, toby.id, { ownershipType, token })), taken)
  }
})

claim('a token claims its own dog only, and no member’s dog', async ({ db, dir }) => {
  const [ana] = await seed(db, member())
  const { association } = await addDogWithFiles(db, dir, null, 1)
  const { dog: other } = await addDogWithFiles(db, dir, null, 1)
  const { dog: mine } = await addDogWithFiles(db, dir, ana.id, 1)
  const proof = { ownershipType: 'owner', token: association!.token } as const
  assert.is((await refusal(claimDog(db, ana.id, other.id, proof)))[0], 403)
  assert.is((await refusal(claimDog(db, ana.id, mine.id, proof)))[0], 409)
})

claim('a deleted account leaves no valid token for its dog', async ({ db, dir }) => {
  const [ana, luis] = await seed(db, member(), member())
  const { dog: toby, association } = await addDogWithFiles(db, dir, null, 1)
  const proof = { ownershipType: 'owner', token: association!.token } as const
  await claimDog(db, ana.id, toby.id, proof)
  await db.deleteFrom('users').where('id', '=', ana.id).execute()
  assert.is((await refusal(claimDog(db, luis.id, toby.id, proof)))[0], 403)
})

claim('of two simultaneous claims one succeeds', async ({ db, dir }) => {
  const [ana, luis] = await seed(db, member(), member())
  const { dog: toby, association } = await addDogWithFiles(db, dir, null, 1)
  const proof = { ownershipType: 'owner', token: association!.token } as const
  const results = await Promise.allSettled([ana, luis].map(({ id }) => claimDog(db, id, toby.id, proof)))
  assert.equal(pluck(results, 'status').sort(), ['fulfilled', 'rejected'])
})
