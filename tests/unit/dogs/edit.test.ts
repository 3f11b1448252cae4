import { claimDog } from '#features/dogs/write/claim.server.ts'
import { getDog, findDogPeople } from '#features/dogs/dog.server.ts'
import { deleteDog, updateDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { listPhotoFiles, addDogWithFiles } from '#tests/support/dogs/dogs-fixture.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { assert, countRows, dataSuite, dog, insert, member, refusal, rowOf, seed } from '#tests/support/suites.ts'

const rights = dataSuite('unit/dogs/edit: permissions')

rights('owner and discoverer may edit; a stranger and the uploader may not', async ({ db, dir }) => {
  const [ana, luis, eva] = await seed(db, member(), member(), member())
  const [toby] = await seed(db, dog({ owner_id: ana.id, discoverer_id: luis.id, user_id: eva.id }))
  assert.is((await updateDog(db, ana, toby.id, { weight: 3 })).weight, 3)
  assert.is((await updateDog(db, luis, toby.id, { weight: 4 })).weight, 4)
  const said = 'Solo su dueño o su descubridor puede editar este perro.'
  assert.equal(await refusal(updateDog(db, eva, toby.id, { weight: 5 })), [403, said])
  assert.equal(await refusal(deleteDog(db, dir, eva, toby.id)), [403, said])
  assert.equal(await refusal(replaceGallery(db, dir, eva, toby.id, [toby.photo_url])), [403, said])
  assert.is((await getDog(db, toby.id)).weight, 4)
})

rights('nobody edits an anonymous dog, and nobody edits without a session', async ({ db, dir }) => {
  const [toby] = await seed(db, dog())
  const [ana] = await seed(db, member())
  assert.is((await refusal(updateDog(db, ana, toby.id, {})))[0], 403)
  for (const deed of [
    () => updateDog(db, null, toby.id, {}),
    () => deleteDog(db, dir, null, toby.id),
    () => replaceGallery(db, dir, null, toby.id, []),
  ])
    assert.equal(await refusal(deed()), [401, 'Error: Usuario no autenticado'])
})

rights('an unknown dog is 404', async ({ db, dir }) => {
  const [ana] = await seed(db, member())
  const said = 'El perro que buscas no existe o ha sido eliminado.'
  for (const deed of [
    () => getDog(db, UNKNOWN_ID),
    () => updateDog(db, ana, UNKNOWN_ID, {}),
    () => deleteDog(db, dir, ana, UNKNOWN_ID),
    () => replaceGallery(db, dir, ana, UNKNOWN_ID, []),
    () => claimDog(db, ana.id, UNKNOWN_ID, { ownershipType: 'owner', token: 'x' }),
  ])
    assert.equal(await refusal(deed()), [404, said])
})

const edit = dataSuite('unit/dogs/edit: updateDog')

edit('changes the given fields and leaves the rest', async ({ db }) => {
  const [ana, toby] = await seed(
    db,
    member(),
    dog({ name: 'Toby', weight: 9.5, age: 8, age_unit: 'meses', zone: 'Cádiz', size: 'mini', description: 'Hola' }),
  )
  assert.equal(await updateDog(db, ana, toby.id, {}), toby)
  assert.equal(await updateDog(db, ana, toby.id, { zone: 'Jerez' }), { ...toby, zone: 'Jerez' })
  const change = { zone: null, weight: null, size: null, is_adopted: true }
  assert.equal(await updateDog(db, ana, toby.id, change), { ...toby, ...change })
})

edit('age and unit are combined with the stored ones', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog({ age: 8, age_unit: 'meses' }))
  const after = async (patch: object) => {
    const { age, age_unit } = await updateDog(db, ana, toby.id, patch)
    return [age, age_unit, (await rowOf(db, 'dogs', { id: toby.id })).age_months]
  }
  assert.equal(await after({ age: 9 }), [9, 'meses', 9])
  assert.equal(await after({ age_unit: 'años' }), [9, 'años', 108])
  assert.equal(await after({ age: null }), [null, null, null])
  assert.equal(await after({ age_unit: 'meses' }), [null, null, null])
  assert.equal(await after({ age: 2 }), [2, 'años', 24])
  assert.equal(await after({ age: 40, age_unit: 'meses' }), [40, 'meses', 40])
  const tooOld = updateDog(db, ana, toby.id, { age_unit: 'años' })
  assert.equal(await refusal(tooOld), [422, 'La edad no puede pasar de 30 años.'])
})

edit('a stored age above the limit stays until it is changed', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog({ age: 35, age_unit: 'años' }))
  const { age, weight } = await updateDog(db, ana, toby.id, { weight: 9, age: 35 })
  assert.equal([age, weight], [35, 9])
  assert.equal(await refusal(updateDog(db, ana, toby.id, { age: 34 })), [422, 'La edad no puede pasar de 30 años.'])
})

edit('the chosen role is assigned to the member and the other one stays', async ({ db }) => {
  const [ana, luis] = await seed(db, member(), member())
  const [mine] = await seed(db, dog({ owner_id: ana.id }))
  const both = await updateDog(db, ana, mine.id, { relationship: 'discoverer' })
  assert.equal([both.owner_id, both.discoverer_id], [ana.id, ana.id])
  const [shared] = await seed(db, dog({ owner_id: ana.id, discoverer_id: luis.id }))
  const same = await updateDog(db, ana, shared.id, { relationship: 'owner' })
  assert.equal([same.owner_id, same.discoverer_id], [ana.id, luis.id])
})

edit('a role that another member holds is refused', async ({ db }) => {
  const [ana, luis] = await seed(db, member(), member())
  const [toby] = await seed(db, dog({ owner_id: ana.id, discoverer_id: luis.id }))
  const asOwner = updateDog(db, luis, toby.id, { relationship: 'owner', weight: 9 })
  assert.equal(await refusal(asOwner), [422, 'Este perro ya tiene dueño.'])
  const asDiscoverer = updateDog(db, ana, toby.id, { relationship: 'discoverer' })
  assert.equal(await refusal(asDiscoverer), [422, 'Este perro ya tiene descubridor.'])
  assert.equal(await getDog(db, toby.id), toby)
})

const remove = dataSuite('unit/dogs/edit: deleteDog')

remove('deletes rows, likes, comments and files of the dog, and no others', async ({ db, dir }) => {
  const [ana] = await seed(db, member())
  const { dog: toby } = await addDogWithFiles(db, dir, ana.id, 2)
  const { dog: luna } = await addDogWithFiles(db, dir, ana.id, 1)
  await insert(db, 'dog_likes_all', { id: 'l', dog_id: toby.id, user_id: ana.id, created_at: 1 })
  await insert(db, 'comments_all', { id: 'c', dog_id: toby.id, user_id: ana.id, content: 'x', created_at: 1 })
  await deleteDog(db, dir, ana, toby.id)
  assert.is((await refusal(getDog(db, toby.id)))[0], 404)
  for (const table of ['dog_likes', 'comments']) assert.is(await countRows(db, table), 0)
  assert.equal(listPhotoFiles(dir), [luna.photo_url.replace('/photos/', '')])
})

const people = dataSuite('unit/dogs/edit: members of a dog')

people('«Subido por» is the discoverer, else the owner; «Dueño» only if it is another member', async ({ db }) => {
  const [ana, luis, eva] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }), member({ alias: 'Eva' }))
  const named = async (fields: object) => {
    const [made] = await seed(db, dog(fields))
    const { uploader, owner, author } = await findDogPeople(db, made)
    return [uploader?.alias, owner?.alias, author?.alias]
  }
  assert.equal(await named({ owner_id: ana.id }), ['Ana', undefined, 'Ana'])
  assert.equal(await named({ discoverer_id: luis.id }), ['Luis', undefined, 'Luis'])
  assert.equal(await named({ owner_id: ana.id, discoverer_id: luis.id, user_id: luis.id }), ['Luis', 'Ana', 'Luis'])
  assert.equal(await named({ owner_id: ana.id, discoverer_id: ana.id }), ['Ana', undefined, 'Ana'])
  assert.equal(await named({ owner_id: ana.id, user_id: eva.id }), ['Ana', undefined, 'Eva'])
  assert.equal(await named({ owner_id: null, user_id: null }), [undefined, undefined, undefined])
})
