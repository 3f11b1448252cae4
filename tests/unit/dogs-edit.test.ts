import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import { addDog } from '#features/dogs/add.server.ts'
import { claimDog } from '#features/dogs/claim.server.ts'
import { getDog, peopleOf } from '#features/dogs/dog.server.ts'
import { dogSchema } from '#features/dogs/dogInput.ts'
import { deleteDog, updateDog } from '#features/dogs/edit.server.ts'
import { setImages } from '#features/dogs/gallery.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { photo, textFile } from '#tests/support/photo.ts'
import { refusal } from '#tests/support/refusal.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

interface Ground {
  db: Db
  dir: string
}

/** Gives every test of the suite a database and a data directory of its own. */
function ground(test: Test<Ground>) {
  test.before.each((t) => {
    t.db = freshDb()
    t.dir = mkdtempSync(join(tmpdir(), 'perrario-dogs-'))
  })
  test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }))
}

const photos = (dir: string) => (existsSync(join(dir, 'photos')) ? readdirSync(join(dir, 'photos')).sort() : [])
const NOBODY = '00000000-0000-4000-8000-000000000000'

/** A dog with real files, of `userId`. */
async function real(db: Db, dir: string, userId: string | null, count = 2) {
  const uploads = await Promise.all(Array.from({ length: count }, (_, i) => photo(i * 20)))
  return addDog(db, dir, { input: dogSchema.parse({ name: 'Toby', breed: 'beagle' }), uploads, userId })
}

const rights = suite<Ground>('dogs: rights')
ground(rights)

rights('owner and discoverer may edit; a stranger, and who merely added the dog, may not', async ({ db, dir }) => {
  const [ana, luis, eva] = await seed(db, member(), member(), member())
  const [toby] = await seed(db, dog({ owner_id: ana.id, discoverer_id: luis.id, user_id: eva.id }))
  assert.is((await updateDog(db, ana, toby.id, { weight: 3 })).weight, 3)
  assert.is((await updateDog(db, luis, toby.id, { weight: 4 })).weight, 4)
  const said = 'Solo su dueño o su descubridor puede editar este perro.'
  assert.equal(await refusal(updateDog(db, eva, toby.id, { weight: 5 })), [403, said])
  assert.equal(await refusal(deleteDog(db, dir, eva, toby.id)), [403, said])
  assert.equal(await refusal(setImages(db, dir, eva, toby.id, [toby.photo_url])), [403, said])
  assert.is((await getDog(db, toby.id)).weight, 4)
})

rights('nobody edits an anonymous dog; without a session nobody edits any', async ({ db, dir }) => {
  const [toby] = await seed(db, dog())
  const [ana] = await seed(db, member())
  assert.is((await refusal(updateDog(db, ana, toby.id, {})))[0], 403)
  for (const deed of [
    updateDog(db, null, toby.id, {}),
    deleteDog(db, dir, null, toby.id),
    setImages(db, dir, null, toby.id, []),
  ])
    assert.equal(await refusal(deed), [401, 'Error: Usuario no autenticado'])
})

rights('a dog that is not there is 404', async ({ db, dir }) => {
  const [ana] = await seed(db, member())
  const said = 'El perro que buscas no existe o ha sido eliminado.'
  for (const deed of [
    getDog(db, NOBODY),
    updateDog(db, ana, NOBODY, {}),
    deleteDog(db, dir, ana, NOBODY),
    setImages(db, dir, ana, NOBODY, []),
    claimDog(db, ana.id, NOBODY, { ownershipType: 'owner', token: 'x' }),
  ])
    assert.equal(await refusal(deed), [404, said])
})

rights.run()

const edit = suite<Ground>('dogs: updateDog')
ground(edit)

edit('changes what is named and leaves the rest', async ({ db }) => {
  const [ana, toby] = await seed(
    db,
    member(),
    dog({ name: 'Toby', weight: 9.5, age: 8, age_unit: 'meses', zone: 'Cádiz', size: 'mini', description: 'Hola' }),
  )
  assert.equal(await updateDog(db, ana, toby.id, {}), toby)
  assert.equal(await updateDog(db, ana, toby.id, { zone: 'Jerez' }), { ...toby, zone: 'Jerez' })
  assert.equal(await updateDog(db, ana, toby.id, { zone: null, weight: null, size: null, is_adopted: true }), {
    ...toby,
    zone: null,
    weight: null,
    size: null,
    is_adopted: true,
  })
})

edit('age and unit are put together with what is stored', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog({ age: 8, age_unit: 'meses' }))
  const months = async () =>
    (await db.selectFrom('dogs').select('age_months').where('id', '=', toby.id).executeTakeFirstOrThrow()).age_months
  const after = async (patch: object) => {
    const { age, age_unit } = await updateDog(db, ana, toby.id, patch)
    return [age, age_unit, await months()]
  }
  assert.equal(await after({ age: 9 }), [9, 'meses', 9])
  assert.equal(await after({ age_unit: 'años' }), [9, 'años', 108])
  assert.equal(await after({ age: null }), [null, null, null])
  assert.equal(await after({ age_unit: 'meses' }), [null, null, null])
  assert.equal(await after({ age: 2 }), [2, 'años', 24])
  assert.equal(await after({ age: 40, age_unit: 'meses' }), [40, 'meses', 40])
  assert.equal(await refusal(updateDog(db, ana, toby.id, { age_unit: 'años' })), [
    422,
    'La edad no puede pasar de 20 años.',
  ])
})

edit('an age from before the limit stays while it is not changed', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog({ age: 25, age_unit: 'años' }))
  const { age, weight } = await updateDog(db, ana, toby.id, { weight: 9, age: 25 })
  assert.equal([age, weight], [25, 9])
  assert.equal(await refusal(updateDog(db, ana, toby.id, { age: 24 })), [422, 'La edad no puede pasar de 20 años.'])
})

edit('the chosen role becomes the member’s and the other one is kept', async ({ db }) => {
  const [ana, luis] = await seed(db, member(), member())
  const [mine] = await seed(db, dog({ owner_id: ana.id }))
  const both = await updateDog(db, ana, mine.id, { relationship: 'discoverer' })
  assert.equal([both.owner_id, both.discoverer_id], [ana.id, ana.id])
  const [shared] = await seed(db, dog({ owner_id: ana.id, discoverer_id: luis.id }))
  const same = await updateDog(db, ana, shared.id, { relationship: 'owner' })
  assert.equal([same.owner_id, same.discoverer_id], [ana.id, luis.id])
})

edit('nobody takes another’s role', async ({ db }) => {
  const [ana, luis] = await seed(db, member(), member())
  const [toby] = await seed(db, dog({ owner_id: ana.id, discoverer_id: luis.id }))
  assert.equal(await refusal(updateDog(db, luis, toby.id, { relationship: 'owner', weight: 9 })), [
    422,
    'Este perro ya tiene dueño.',
  ])
  assert.equal(await refusal(updateDog(db, ana, toby.id, { relationship: 'discoverer' })), [
    422,
    'Este perro ya tiene descubridor.',
  ])
  assert.equal(await getDog(db, toby.id), toby)
})

edit.run()

const gallery = suite<Ground>('dogs: setImages')
ground(gallery)

gallery('keeps, adds, orders and drops, the first as cover; dropped files go', async ({ db, dir }) => {
  const [ana] = await seed(db, member())
  const { dog: toby } = await real(db, dir, ana.id, 3)
  const [a, b, c] = toby.images.map((i) => i.url)
  const { dog: after, skipped } = await setImages(db, dir, ana, toby.id, [c!, await photo(250, 30, 30), a!])
  assert.equal(skipped, [])
  assert.equal(
    after.images.map((i) => i.order),
    [0, 1, 2],
  )
  assert.equal([after.images[0]!.url, after.images[2]!.url, after.photo_url], [c, a, c])
  assert.is(after.images[1]!.width, 30)
  assert.not(photos(dir).some((name) => b!.endsWith(name)))
  assert.is(photos(dir).length, 3)
})

gallery('a new photo that cannot be read is skipped and told', async ({ db, dir }) => {
  const [ana] = await seed(db, member())
  const { dog: toby } = await real(db, dir, ana.id, 1)
  const { dog: after, skipped } = await setImages(db, dir, ana, toby.id, [textFile, toby.photo_url])
  assert.equal(
    after.images.map((i) => i.url),
    [toby.photo_url],
  )
  assert.is(skipped[0]!.index, 0)
})

gallery('what may not be leaves the gallery as it was, and no file behind', async ({ db, dir }) => {
  const [ana] = await seed(db, member())
  const { dog: toby } = await real(db, dir, ana.id, 2)
  const { dog: other } = await real(db, dir, ana.id, 1)
  const before = photos(dir)
  const own = toby.photo_url
  for (const [parts, said] of [
    [[], 'Por favor, sube al menos una imagen del perro.'],
    [[textFile], 'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.'],
    [[await photo(), other.photo_url], 'Una de las fotos ya no es de este perro. Vuelve a abrir el formulario.'],
    [[own, 'https://ejemplo.es/x.jpg'], 'Una de las fotos ya no es de este perro. Vuelve a abrir el formulario.'],
    [[own, own], 'Hay una foto repetida.'],
    [Array.from({ length: 11 }, () => textFile), 'Puedes subir hasta 10 fotos.'],
  ] as const)
    assert.equal(await refusal(setImages(db, dir, ana, toby.id, parts)), [422, said])
  assert.equal((await getDog(db, toby.id)).images, toby.images)
  assert.equal(photos(dir), before)
})

gallery('two saves at once end in one of the two galleries, whole, with exactly its files', async ({ db, dir }) => {
  const [ana] = await seed(db, member())
  const { dog: toby } = await real(db, dir, ana.id, 2)
  const [a, b] = toby.images.map((i) => i.url)
  await Promise.allSettled([
    setImages(db, dir, ana, toby.id, [a!, await photo(1)]),
    setImages(db, dir, ana, toby.id, [await photo(2), b!]),
    setImages(db, dir, ana, toby.id, [await photo(3)]),
  ])
  const { images } = await getDog(db, toby.id)
  assert.ok(images.length > 0)
  assert.equal(photos(dir), images.map((i) => i.url.replace('/photos/', '')).sort())
})

gallery.run()

const remove = suite<Ground>('dogs: deleteDog')
ground(remove)

remove('takes rows, likes, comments and files, and nothing of others', async ({ db, dir }) => {
  const [ana] = await seed(db, member())
  const { dog: toby } = await real(db, dir, ana.id, 2)
  const { dog: luna } = await real(db, dir, ana.id, 1)
  await db.insertInto('dog_likes').values({ id: 'l', dog_id: toby.id, user_id: ana.id, created_at: 1 }).execute()
  await db
    .insertInto('comments')
    .values({ id: 'c', dog_id: toby.id, user_id: ana.id, content: 'x', created_at: 1 })
    .execute()
  await deleteDog(db, dir, ana, toby.id)
  assert.is((await refusal(getDog(db, toby.id)))[0], 404)
  for (const table of ['dog_likes', 'comments'] as const)
    assert.equal(await db.selectFrom(table).selectAll().execute(), [])
  assert.equal(
    photos(dir),
    luna.images.map((i) => i.url.replace('/photos/', '')),
  )
})

remove.run()

const claim = suite<Ground>('dogs: claimDog')
ground(claim)

claim('the token makes the dog the member’s, once', async ({ db, dir }) => {
  const [ana, luis] = await seed(db, member(), member())
  for (const [ownershipType, wanted] of [
    ['owner', [ana.id, null]],
    ['discoverer', [null, ana.id]],
  ] as const) {
    const { dog: toby, association } = await real(db, dir, null, 1)
    const token = association!.token
    assert.equal(await refusal(claimDog(db, luis.id, toby.id, { ownershipType, token: `${token}x` })), [
      403,
      'Solo quien añadió este perro puede asociarlo a su cuenta.',
    ])
    const mine = await claimDog(db, ana.id, toby.id, { ownershipType, token })
    assert.equal([mine.owner_id, mine.discoverer_id], wanted)
    assert.is(mine.user_id, ana.id)
    for (const id of [ana.id, luis.id])
      assert.equal(await refusal(claimDog(db, id, toby.id, { ownershipType, token })), [
        409,
        'Este perro ya está asociado a una cuenta.',
      ])
  }
})

claim('a token opens its own dog only, and no member’s dog', async ({ db, dir }) => {
  const [ana] = await seed(db, member())
  const { association } = await real(db, dir, null, 1)
  const { dog: other } = await real(db, dir, null, 1)
  const { dog: mine } = await real(db, dir, ana.id, 1)
  const proof = { ownershipType: 'owner', token: association!.token } as const
  assert.is((await refusal(claimDog(db, ana.id, other.id, proof)))[0], 403)
  assert.is((await refusal(claimDog(db, ana.id, mine.id, proof)))[0], 409)
})

claim('an account that goes leaves no token behind that would open its dog', async ({ db, dir }) => {
  const [ana, luis] = await seed(db, member(), member())
  const { dog: toby, association } = await real(db, dir, null, 1)
  const proof = { ownershipType: 'owner', token: association!.token } as const
  await claimDog(db, ana.id, toby.id, proof)
  await db.deleteFrom('users').where('id', '=', ana.id).execute()
  assert.is((await refusal(claimDog(db, luis.id, toby.id, proof)))[0], 403)
})

claim('two claims at once: one wins', async ({ db, dir }) => {
  const [ana, luis] = await seed(db, member(), member())
  const { dog: toby, association } = await real(db, dir, null, 1)
  const proof = { ownershipType: 'owner', token: association!.token } as const
  const results = await Promise.allSettled([
    claimDog(db, ana.id, toby.id, proof),
    claimDog(db, luis.id, toby.id, proof),
  ])
  assert.equal(results.map((r) => r.status).sort(), ['fulfilled', 'rejected'])
})

claim.run()

const people = suite<Ground>('dogs: peopleOf')
ground(people)

people('«Subido por» is the discoverer, else the owner; «Dueño» only where it is another', async ({ db }) => {
  const [ana, luis, eva] = await seed(db, member({ alias: 'Ana' }), member({ alias: 'Luis' }), member({ alias: 'Eva' }))
  const named = async (fields: object) => {
    const [made] = await seed(db, dog(fields))
    const { uploader, owner, author } = await peopleOf(db, made)
    return [uploader?.alias, owner?.alias, author?.alias]
  }
  assert.equal(await named({ owner_id: ana.id }), ['Ana', undefined, 'Ana'])
  assert.equal(await named({ discoverer_id: luis.id }), ['Luis', undefined, 'Luis'])
  assert.equal(await named({ owner_id: ana.id, discoverer_id: luis.id, user_id: luis.id }), ['Luis', 'Ana', 'Luis'])
  assert.equal(await named({ owner_id: ana.id, discoverer_id: ana.id }), ['Ana', undefined, 'Ana'])
  assert.equal(await named({ owner_id: ana.id, user_id: eva.id }), ['Ana', undefined, 'Eva'])
  assert.equal(await named({ owner_id: null, user_id: null }), [undefined, undefined, undefined])
})

people.run()
