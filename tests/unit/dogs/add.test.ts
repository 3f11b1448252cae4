import type { Quota } from '#lib/quota.ts'
import { AppError } from '#lib/errors.ts'
import { addDog, type NewDog } from '#features/dogs/write/add.server.ts'
import { EMPTY_DOG } from '#features/dogs/write/dog-fields.ts'
import { photo, textFile } from '#tests/support/photos/sample-photos.ts'
import { addRealDog, dogInput as input, listPhotoFiles as files } from '#tests/support/dogs/dogs-fixture.ts'
import { refuseWrites } from '#tests/support/faults/refused-writes.ts'
import { assert, countRows, dataSuite, type Db, member, pick, refusal, rowOf, seed } from '#tests/support/suites.ts'

const NOON = Date.UTC(2026, 10, 20, 11)

const add = dataSuite('unit/dogs/add: adding')

const dogs = (db: Db) => countRows(db, 'dogs')

add('stores the values and the photos in order, the first as cover', async ({ db, dir }) => {
  const [ana] = await seed(db, member())
  const fields = { age: '8', age_unit: 'meses', weight: '9,5', size: 'Mediano', zone: 'Cádiz', is_adopted: 'on' }
  const uploads = [await photo(10), new Blob([await photo(200, 40, 80)])]
  const added = await addDog(db, dir, { input: input(fields), uploads, userId: ana.id }, NOON)
  const { dog, association, skipped } = added
  assert.equal([association, skipped], [undefined, []])
  const { relationship: _relationship, ...unsaid } = EMPTY_DOG
  assert.equal(
    { ...dog, id: '', images: [], photo_url: '', blur: dog.blur?.length },
    {
      ...unsaid,
      id: '',
      name: 'Toby',
      breed: 'Beagle',
      breed_slug: 'beagle',
      age: 8,
      age_unit: 'meses',
      weight: 9.5,
      zone: 'Cádiz',
      is_adopted: true,
      size: 'mediano',
      photo_url: '',
      user_id: ana.id,
      owner_id: ana.id,
      discoverer_id: null,
      created_at: NOON,
      likes: 0,
      votes: 0,
      comments: 0,
      path: '/beagle/toby',
      card: 'platinum',
      frame: null,
      blur: 43,
      images: [],
    },
  )
  assert.equal(pick(dog.images, 'order', 'width', 'height'), [
    [0, 64, 48],
    [1, 40, 80],
  ])
  assert.is(dog.photo_url, dog.images[0]!.url)
  assert.equal(files(dir), dog.images.map((i) => i.url.replace('/photos/', '')).sort())
})

add('a discoverer is stored as discoverer; without a session nobody is, and a token is returned', async (t) => {
  const [ana] = await seed(t.db, member())
  const found = await addRealDog(t, ana.id, { relationship: 'discoverer' })
  assert.equal([found.dog.owner_id, found.dog.discoverer_id, found.dog.user_id], [null, ana.id, ana.id])
  const { dog, association } = await addRealDog(t, null)
  assert.equal([dog.owner_id, dog.discoverer_id, dog.user_id], [null, null, null])
  assert.match(association!.token, /^[\w-]{40,}$/)
  const { hash } = await rowOf(t.db, 'secrets', { dog_id: dog.id })
  assert.not(hash.includes(association!.token))
})

add('the breed is stored by its catalogue name, a mix as written', async (t) => {
  const of = async (breed: string) => {
    const { dog } = await addRealDog(t, null, { breed })
    return [dog.breed, dog.breed_slug]
  }
  assert.equal(await of('labrador'), ['Labrador Retriever', 'labrador-retriever'])
  assert.equal(await of('Mezcla de galgo y podenco'), ['Mezcla de galgo y podenco', 'mestizo'])
  assert.equal(await of(''), ['Mestizo', 'mestizo'])
})

add('an unreadable photo is skipped and reported, and the next one becomes the cover', async ({ db, dir }) => {
  const uploads = [textFile, await photo(), (await photo()).subarray(0, 200)]
  const { dog, skipped } = await addDog(db, dir, { input: input(), uploads, userId: null })
  assert.equal(pick(dog.images, 'order', 'url'), [[0, dog.photo_url]])
  assert.equal(skipped, [
    { index: 0, detail: 'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.' },
    { index: 2, detail: 'La foto está dañada o incompleta. Prueba con otra.' },
  ])
  assert.is(files(dir).length, 1)
})

add('without a storable photo there is no dog, and no file', async ({ db, dir }) => {
  for (const [count, said] of [
    [0, 'Por favor, sube al menos una imagen del perro.'],
    [2, 'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.'],
    [11, 'Puedes subir hasta 10 fotos.'],
  ] as const) {
    const uploads = Array.from({ length: count }, () => textFile)
    assert.equal(await refusal(addDog(db, dir, { input: input(), userId: null, uploads })), [422, said])
  }
  assert.is(await dogs(db), 0)
  assert.equal(files(dir), [])
})

add('a failed write of the rows deletes the photos', async ({ db, dir }) => {
  await refuseWrites(db, { table: 'dog_images_all', event: 'INSERT', when: 'new."order" = 1', message: 'disk full' })
  const [ana] = await seed(db, member())
  const uploads = [await photo(), await photo()]
  const failed = addDog(db, dir, { input: input(), uploads, userId: ana.id })
  assert.match(String(await failed.catch((error) => error)), 'disk full')
  assert.equal(files(dir), [])
  assert.is(await dogs(db), 0)
  assert.is(await countRows(db, 'dog_paths'), 0)
  assert.is((await rowOf(db, 'profiles', { id: ana.id })).dogs_count, 0)
})

add('a failed write of one photo deletes those before it', async ({ db, dir }) => {
  const broken = { arrayBuffer: () => Promise.reject(new Error('socket closed')) } as unknown as Blob
  const failed = addDog(db, dir, { input: input(), uploads: [await photo(), broken], userId: null })
  assert.match(String(await failed.catch((error) => error)), 'socket closed')
  assert.equal(files(dir), [])
  assert.is(await dogs(db), 0)
})

const twice = dataSuite('unit/dogs/add: repeated requests')

const dogWithKey = async (sender: string, key: string, userId: string | null = null): Promise<NewDog> => ({
  input: input(),
  uploads: [await photo()],
  userId,
  idempotency: { sender, key },
})

twice('a repeated request returns the same response, and there is one dog with its photos', async ({ db, dir }) => {
  const [ana] = await seed(db, member())
  for (const userId of [ana.id, null]) {
    const before = await dogs(db)
    const first = await addDog(db, dir, await dogWithKey(userId ?? 'anonymous ip', 'k1', userId))
    const second = await addDog(db, dir, await dogWithKey(userId ?? 'anonymous ip', 'k1', userId))
    assert.equal(second, first)
    assert.is(await dogs(db), before + 1)
  }
  assert.is(files(dir).length, 2)
})

twice('simultaneous repetitions do, too', async ({ db, dir }) => {
  const all = await Promise.all(
    Array.from({ length: 5 }, async () => addDog(db, dir, await dogWithKey('anonymous ip', 'k1'))),
  )
  assert.is(new Set(all.map((a) => a.dog.id)).size, 1)
  assert.is(new Set(all.map((a) => a.association!.token)).size, 1)
  assert.is(await dogs(db), 1)
  assert.is(files(dir).length, 1)
})

twice('other keys, other senders and, after a month, the same key are other requests', async ({ db, dir }) => {
  const [ana, luis] = await seed(db, member(), member())
  const ids = new Set<string>()
  for (const request of [
    await dogWithKey(ana.id, 'k1', ana.id),
    await dogWithKey(ana.id, 'k2', ana.id),
    await dogWithKey(luis.id, 'k1', luis.id),
    await dogWithKey('anonymous a', 'k1'),
    await dogWithKey('anonymous b', 'k1'),
  ])
    ids.add((await addDog(db, dir, request, NOON)).dog.id)
  ids.add((await addDog(db, dir, await dogWithKey(ana.id, 'k1', ana.id), NOON + 30 * 86_400_000 + 1)).dog.id)
  assert.is(ids.size, 6)
  assert.is(await countRows(db, 'idempotency_keys'), 1, 'keys of a month before are forgotten')
})

twice('a refused request may be repeated with the same key', async ({ db, dir }) => {
  const bad = { ...(await dogWithKey('x', 'k1')), uploads: [textFile] }
  assert.is((await refusal(addDog(db, dir, bad)))[0], 422)
  assert.ok((await addDog(db, dir, await dogWithKey('x', 'k1'))).dog.id)
})

twice('only added dogs count towards the limit, and a repeated request does not', async ({ db, dir }) => {
  const counted: boolean[] = []
  const admit: Quota = async (deed, isDone = () => true) => {
    const at = counted.push(false) - 1
    const result = await deed()
    counted[at] = isDone(result)
    return result
  }
  const send = async (key: string, uploads?: NewDog['uploads']) =>
    addDog(db, dir, { ...(await dogWithKey('x', key)), ...(uploads && { uploads }), quota: admit })
  assert.is((await refusal(send('k1', [textFile])))[0], 422)
  const [one, two] = await Promise.all([send('k1'), send('k1')])
  assert.equal(one, two)
  assert.equal(counted.splice(0).toSorted(), [false, false, true])
  assert.equal(await send('k1'), one)
  assert.equal(counted, [])
})

twice('a refused sender adds nothing', async ({ db, dir }) => {
  const admit = async () => {
    throw new AppError(429, 'Hoy no.')
  }
  assert.equal(await refusal(addDog(db, dir, { ...(await dogWithKey('x', 'k1')), quota: admit })), [429, 'Hoy no.'])
  assert.equal([await dogs(db), files(dir)], [0, []])
})
