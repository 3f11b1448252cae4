import { defaultAlt, coverAlt, numberedAlt, photoAlt } from '#features/dogs/photo-alt.ts'
import { altsSchema } from '#features/dogs/write/dog-input.ts'
import type { DogImage } from '#features/dogs/dogs.ts'
import { galleryPhotos } from '#features/dogs/page/gallery.ts'
import { assert, suite } from '#tests/support/suites.ts'

const alts = suite('unit/dogs/photo-alts')

const toby = { name: 'Toby', breed: 'Beagle', zone: 'Madrid' }
const image = (url: string, order: number, alt: string | null = null): DogImage => ({
  url,
  order,
  width: 1,
  height: 1,
  alt,
})

// Composing -----------------------------------------------------------------------------------------------------------

alts('a photo without a description has name, breed and zone as its alternative text', () => {
  assert.is(defaultAlt(toby), 'Toby, Beagle, en Madrid')
  assert.is(defaultAlt({ ...toby, zone: null }), 'Toby, Beagle')
  assert.is(defaultAlt({ ...toby, name: '???', zone: '' }), 'Sin nombre, Beagle')
  for (const none of [null, undefined, '']) assert.is(photoAlt(toby, none), 'Toby, Beagle, en Madrid')
})

alts('a photo with a description has it as its alternative text', () => {
  assert.is(photoAlt(toby, 'Duerme en el sofá'), 'Duerme en el sofá')
})

alts('a dog’s alternative text is its cover’s description, wherever the cover is in the gallery', () => {
  const images = [image('a', 0, 'En la playa'), image('b', 1, 'En la nieve')]
  assert.is(coverAlt({ ...toby, photo_url: 'a', images }), 'En la playa')
  assert.is(coverAlt({ ...toby, photo_url: 'b', images }), 'En la nieve')
  assert.is(coverAlt({ ...toby, photo_url: 'c', images }), 'Toby, Beagle, en Madrid')
})

alts('a photo of several has its number after the description', () => {
  assert.is(numberedAlt('Duerme', 0, 1), 'Duerme')
  assert.is(numberedAlt('Duerme', 1, 3), 'Duerme. Foto 2 de 3')
  assert.is(numberedAlt('Duerme.', 1, 3), 'Duerme. Foto 2 de 3')
  assert.is(numberedAlt('¡Al agua!', 0, 2), '¡Al agua! Foto 1 de 2')
})

alts('the carousel follows the order, with a cover that is not among the photos first', () => {
  assert.equal(galleryPhotos({ ...toby, photo_url: 'b', images: [image('b', 1), image('a', 0, 'Duerme')] }), [
    { url: 'a', alt: 'Duerme. Foto 1 de 2' },
    { url: 'b', alt: 'Toby, Beagle, en Madrid. Foto 2 de 2' },
  ])
  assert.equal(galleryPhotos({ ...toby, photo_url: 'c', images: [image('a', 0, 'Duerme')] }), [
    { url: 'c', alt: 'Toby, Beagle, en Madrid. Foto 1 de 2' },
    { url: 'a', alt: 'Duerme. Foto 2 de 2' },
  ])
  assert.equal(galleryPhotos({ ...toby, photo_url: 'a', images: [image('a', 0, 'Duerme')] }), [
    { url: 'a', alt: 'Duerme' },
  ])
  assert.equal(galleryPhotos({ ...toby, photo_url: '', images: [] }), [])
})

// Checking ------------------------------------------------------------------------------------------------------------

const read = (...texts: unknown[]) => altsSchema.parse({ alts: texts }).alts
const refused = (text: unknown) => altsSchema.safeParse({ alts: ['bien', text] }).error?.issues ?? []

alts('a description is one line of text, trimmed, without invisible characters', () => {
  assert.equal(read('  Duerme\n en   el\tsofá '), ['Duerme en el sofá'])
  assert.equal(read('<b>Duerme</b>'), ['bDuerme/b'])
  assert.equal(read('Due\0rm\u0007e \u202Eya\u2066'), ['Duerme ya'])
  assert.equal(read('Jose\u0301'), ['José'])
  assert.equal(read('👩‍👧 con Toby \uD83D'), ['👩‍👧 con Toby \uFFFD'])
})

alts('an empty description is stored as none', () => {
  assert.equal(read('', '   ', '\u200B\u2060', '<>', null), [null, null, null, null, null])
})

alts('a description has up to 150 graphemes', () => {
  assert.equal(read('a'.repeat(150)), ['a'.repeat(150)])
  assert.equal(read('👩‍👧'.repeat(150)), ['👩‍👧'.repeat(150)])
  assert.equal(read(`<${' a'.repeat(2)}${'<'.repeat(200)}`), ['a a'])
  const issues = refused('a'.repeat(151))
  assert.is(issues[0]!.message, 'La descripción de la foto no puede tener más de 150 caracteres.')
  assert.equal(issues[0]!.path, ['alts', 1])
})

alts('a description that is not text, or larger than any sentence, is refused', () => {
  for (const value of [7, {}, true, new File([], 'a.txt')])
    assert.is(refused(value)[0]!.message, 'El texto no es válido.')
  assert.is(refused('x'.repeat(20_000))[0]!.message, 'El texto es demasiado largo.')
})
