import { addDog, toClaimSecret } from '#features/dogs/write/add.server.ts'
import { claimDog } from '#features/dogs/write/claim.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { issueSecret } from '#features/secrets/secrets.server.ts'
import { fillInNames } from '#lib/text/names.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { assert, dataSuite, type Db, dog, member, refusal, seed } from '#tests/support/suites.ts'

const newBreed = dataSuite('unit/dogs/new-breed')

const bell = async (db: Db, userId: string) =>
  (await db.selectFrom('notifications').selectAll().where('user_id', '=', userId).orderBy('created_at').execute()).map(
    ({ type, title, content }) => `${type}: ${title} ${fillInNames(content, { alias: null, dog: 'Toby' })}`,
  )
const newBreedLine = (breed: string, n: number) =>
  `other: ¡Nueva raza en tu álbum! Has descubierto ${breed}: ya tienes ${n} de 441.`

async function add(t: { db: Db; dir: string }, userId: string | null, breed: string, now: number) {
  const input = dogSchema.parse({ name: 'Toby', breed, weight: '9', relationship: 'owner' })
  return addDog(t.db, t.dir, { input, uploads: [await photo(10)], userId }, now)
}

newBreed('an added dog of a new breed notifies, a second of it does not', async (t) => {
  const [ana] = await seed(t.db, member())
  await add(t, ana.id, 'Beagle', 1)
  await add(t, ana.id, 'Beagle', 2)
  await add(t, ana.id, 'Caniche', 3)
  assert.equal(await bell(t.db, ana.id), [newBreedLine('Beagle', 1), newBreedLine('Caniche', 2)])
})

newBreed('a mix counts as Mestizo, which is in the catalogue', async (t) => {
  const [ana] = await seed(t.db, member())
  await add(t, ana.id, 'Cruce de tejón', 1)
  await add(t, ana.id, 'Mestizo', 2)
  assert.equal(await bell(t.db, ana.id), [newBreedLine('Mestizo', 1)])
})

newBreed('an anonymous dog notifies when it is claimed', async (t) => {
  const [ana] = await seed(t.db, member())
  const { dog, association } = await add(t, null, 'Beagle', 1)
  assert.is((await t.db.selectFrom('notifications').selectAll().execute()).length, 0)
  await claimDog(t.db, ana.id, dog.id, { ownershipType: 'owner', token: association!.token }, 2)
  assert.equal((await bell(t.db, ana.id)).toSorted(), [
    'other: Perro asociado Has asociado Toby a tu cuenta.',
    newBreedLine('Beagle', 1),
  ])
  const rows = await t.db.selectFrom('notifications').select('dog_id').execute()
  assert.equal(new Set(rows.map((row) => row.dog_id)), new Set([dog.id]))
})

newBreed('a failed claim notifies nobody', async (t) => {
  const [ana] = await seed(t.db, member())
  const [toby] = await seed(t.db, dog({ owner_id: null }))
  await issueSecret(t.db, 'dog-claim', { dog_id: toby.id }, 1, { secret: toClaimSecret('x') })
  assert.is((await refusal(claimDog(t.db, ana.id, toby.id, { ownershipType: 'owner', token: 'y' })))[0], 403)
  assert.equal(await bell(t.db, ana.id), [])
})

newBreed('another breed in the form notifies the owner and the discoverer', async ({ db }) => {
  const [ana, luis] = await seed(db, member(), member())
  const [toby] = await seed(db, dog({ breed: 'Beagle', owner_id: ana.id, discoverer_id: luis.id }))
  await seed(db, dog({ breed: 'Caniche', owner_id: luis.id }))
  await updateDog(db, ana, toby.id, { breed: 'Caniche' }, 1)
  assert.equal(await bell(db, ana.id), [newBreedLine('Caniche', 1)])
  assert.equal(await bell(db, luis.id), [])
  await updateDog(db, luis, toby.id, { breed: 'Beagle', name: 'Tobías' }, 2)
  assert.equal(await bell(db, luis.id), [newBreedLine('Beagle', 2)])
})

newBreed('an edit without a new breed notifies nobody', async ({ db }) => {
  const [ana] = await seed(db, member())
  const [toby] = await seed(db, dog({ discoverer_id: ana.id }))
  await updateDog(db, ana, toby.id, { name: 'Tobías' })
  await updateDog(db, ana, toby.id, { relationship: 'owner' })
  assert.equal(await bell(db, ana.id), [])
})
