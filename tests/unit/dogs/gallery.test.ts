import { getDog } from '#features/dogs/dog.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { listPhotoFiles, addDogWithFiles } from '#tests/support/dogs/dogs-fixture.ts'
import { photo, textFile } from '#tests/support/photos/sample-photos.ts'
import { assert, dataSuite, member, pluck, refusal, seed } from '#tests/support/suites.ts'

const gallery = dataSuite('unit/dogs/gallery')

gallery(
  'retains, adds, orders and removes photos, the first as cover, and deletes removed files',
  async ({ db, dir }) => {
    const [ana] = await seed(db, member())
    const { dog: toby } = await addDogWithFiles(db, dir, ana.id, 3)
    const [a, b, c] = toby.images.map((i) => i.url)
    const { dog: after, skipped } = await replaceGallery(db, dir, ana, toby.id, [c!, await photo(250, 30, 30), a!])
    assert.equal(skipped, [])
    assert.equal(pluck(after.images, 'order'), [0, 1, 2])
    assert.equal([after.images[0]!.url, after.images[2]!.url, after.photo_url], [c, a, c])
    assert.is(after.images[1]!.width, 30)
    assert.not(listPhotoFiles(dir).some((name) => b!.endsWith(name)))
    assert.is(listPhotoFiles(dir).length, 3)
  },
)

gallery('an unreadable new photo is skipped and reported', async ({ db, dir }) => {
  const [ana] = await seed(db, member())
  const { dog: toby } = await addDogWithFiles(db, dir, ana.id, 1)
  const { dog: after, skipped } = await replaceGallery(db, dir, ana, toby.id, [textFile, toby.photo_url])
  assert.equal(pluck(after.images, 'url'), [toby.photo_url])
  assert.is(skipped[0]!.index, 0)
})

gallery('a refused edit leaves the gallery unchanged and no file behind', async ({ db, dir }) => {
  const [ana] = await seed(db, member())
  const { dog: toby } = await addDogWithFiles(db, dir, ana.id, 2)
  const { dog: other } = await addDogWithFiles(db, dir, ana.id, 1)
  const before = listPhotoFiles(dir)
  const own = toby.photo_url
  for (const [parts, said] of [
    [[], 'Por favor, sube al menos una imagen del perro.'],
    [[textFile], 'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.'],
    [[await photo(), other.photo_url], 'Una de las fotos ya no es de este perro. Vuelve a abrir el formulario.'],
    [[own, 'https://ejemplo.es/x.jpg'], 'Una de las fotos ya no es de este perro. Vuelve a abrir el formulario.'],
    [[own, own], 'Hay una foto repetida.'],
    [Array.from({ length: 11 }, () => textFile), 'Puedes subir hasta 10 fotos.'],
  ] as const)
    assert.equal(await refusal(replaceGallery(db, dir, ana, toby.id, parts)), [422, said])
  assert.equal((await getDog(db, toby.id)).images, toby.images)
  assert.equal(listPhotoFiles(dir), before)
})

gallery(
  'two simultaneous saves end in one of the two galleries, complete, with exactly its files',
  async ({ db, dir }) => {
    const [ana] = await seed(db, member())
    const { dog: toby } = await addDogWithFiles(db, dir, ana.id, 2)
    const [a, b] = toby.images.map((i) => i.url)
    await Promise.allSettled([
      replaceGallery(db, dir, ana, toby.id, [a!, await photo(1)]),
      replaceGallery(db, dir, ana, toby.id, [await photo(2), b!]),
      replaceGallery(db, dir, ana, toby.id, [await photo(3)]),
    ])
    const { images } = await getDog(db, toby.id)
    assert.ok(images.length > 0)
    assert.equal(listPhotoFiles(dir), images.map((i) => i.url.replace('/photos/', '')).sort())
  },
)
