import {
  galleryReducer,
  hasGalleryChanged,
  moveItem,
  type Photo,
  countPhotos,
  failureTexts,
  freeSlots,
  sendablePhotos,
  tooManyText,
} from '#features/dogs/form/photos/gallery.ts'
import { wrapIndex } from '#lib/numbers.ts'
import { keyTarget, placeAt, REORDER_TEXTS, scrollStep } from '#features/dogs/form/photos/reorder.ts'
import { assert, pick, suite } from '#tests/support/suites.ts'

const photos = suite('unit/dogs/form/gallery')

const photo = (id: string, extra: Partial<Photo> = {}): Photo => ({
  id,
  name: `${id}.jpg`,
  alt: '',
  src: `blob:${id}`,
  state: 'ready',
  file: new File(['x'], `${id}.jpg`),
  ...extra,
})
/** A stored or failed photo. */
const photoWithoutFile = (id: string, extra: Partial<Photo>): Photo => {
  const { file: _, ...rest } = photo(id, extra)
  return rest
}
const ids = (list: readonly Photo[]) => list.map(({ id }) => id).join('')
const some = (text: string) => [...text].map((id) => photo(id))

photos('accepts ten photos and not one more', () => {
  const ten = galleryReducer(some('abcdefgh'), { type: 'add', photos: some('ijk') })
  assert.is(ids(ten), 'abcdefghij')
  assert.is(freeSlots(ten), 0)
  assert.is(ids(galleryReducer(ten, { type: 'add', photos: some('z') })), 'abcdefghij')
  assert.is(tooManyText(1), 'Un perro puede tener hasta 10 fotos: una se ha quedado fuera.')
  assert.is(tooManyText(3), 'Un perro puede tener hasta 10 fotos: 3 se han quedado fuera.')
})

photos('does not count failed photos, and places them behind the others', () => {
  const failed = { state: 'failed', error: 'No se pudo leer.' } as const
  const broken = galleryReducer(some('abcdefghij'), { type: 'change', id: 'a', with: failed })
  assert.is(ids(broken), 'bcdefghija')
  assert.is(countPhotos(broken), 9)
  assert.is(freeSlots(broken), 1)
  assert.is(ids(galleryReducer(broken, { type: 'add', photos: some('yz') })), 'bcdefghijya')
  assert.is(ids(galleryReducer(broken, { type: 'move', id: 'a', to: 0 })), 'bcdefghija')
})

photos('moves a photo and keeps the others in order', () => {
  const list = some('abcd')
  assert.is(ids(galleryReducer(list, { type: 'move', id: 'c', to: 0 })), 'cabd')
  assert.is(ids(galleryReducer(list, { type: 'move', id: 'a', to: 3 })), 'bcda')
  assert.is(ids(galleryReducer(list, { type: 'move', id: 'a', to: 99 })), 'bcda')
  assert.is(ids(galleryReducer(list, { type: 'move', id: 'unknown', to: 0 })), 'abcd')
  assert.is(ids(list), 'abcd')
  assert.equal(moveItem([], -1, 0), [])
})

photos('removes and changes one photo by its id', () => {
  assert.is(ids(galleryReducer(some('abc'), { type: 'remove', id: 'a' })), 'bc')
  const [, changed] = galleryReducer(some('ab'), { type: 'change', id: 'b', with: { state: 'failed', error: 'no' } })
  assert.is(changed?.error, 'no')
  assert.is(ids(galleryReducer(some('ab'), { type: 'change', id: 'gone', with: { alt: '' } })), 'ab')
})

photos('wraps around at both ends', () => {
  assert.is(wrapIndex(0, -1, 4), 3)
  assert.is(wrapIndex(3, 1, 4), 0)
  assert.is(wrapIndex(0, 1, 1), 0)
})

photos('scrolls near the edges of its container only', () => {
  assert.ok(scrollStep(110, 100, 500) < 0)
  assert.is(scrollStep(300, 100, 500), 0)
  assert.ok(scrollStep(490, 100, 500) > 0)
})

photos('names each failed file once', () => {
  const failed = (id: string, error: string) => photo(id, { name: 'perro.jpg', state: 'failed', error })
  assert.equal(failureTexts([photo('a'), failed('b', 'No se pudo leer.'), failed('c', 'No se pudo leer.')]), [
    '«perro.jpg»: No se pudo leer.',
  ])
})

photos('sends only existing photos', () => {
  const list = [photoWithoutFile('a', { state: 'failed' }), photo('b'), photoWithoutFile('c', { url: '/c' })]
  assert.is(ids(sendablePhotos(list)), 'bc')
})

photos('detects that the stored gallery would change', () => {
  const kept = (url: string, alt = '') => photoWithoutFile(url, { url, alt })
  const stored = [
    { id: '/1', alt: '' },
    { id: '/2', alt: 'Duerme' },
  ]
  assert.not(hasGalleryChanged([kept('/1'), kept('/2', 'Duerme')], stored))
  assert.not(hasGalleryChanged([kept('/1', ' '), kept('/2', ' Duerme ')], stored))
  assert.ok(hasGalleryChanged([kept('/2', 'Duerme'), kept('/1')], stored))
  assert.ok(hasGalleryChanged([kept('/1')], stored))
  assert.ok(hasGalleryChanged([kept('/1'), kept('/2', 'Duerme'), photo('new')], stored))
})

photos('detects changed descriptions, and keeps them with their photo', () => {
  const kept = (url: string, alt = '') => photoWithoutFile(url, { url, alt })
  const stored = [
    { id: '/1', alt: '' },
    { id: '/2', alt: 'Duerme' },
  ]
  assert.ok(hasGalleryChanged([kept('/1', 'Corre'), kept('/2', 'Duerme')], stored))
  assert.ok(hasGalleryChanged([kept('/1'), kept('/2')], stored))
  const said = galleryReducer(some('ab'), { type: 'change', id: 'b', with: { alt: 'Corre' } })
  assert.equal(pick(galleryReducer(said, { type: 'move', id: 'b', to: 0 }), 'id', 'alt'), [
    ['b', 'Corre'],
    ['a', ''],
  ])
})

photos('moves by arrows, Home and End, within the ends', () => {
  assert.is(keyTarget('ArrowLeft', 0, 3), 0)
  assert.is(keyTarget('ArrowUp', 2, 3), 1)
  assert.is(keyTarget('ArrowRight', 2, 3), 2)
  assert.is(keyTarget('ArrowDown', 0, 3), 1)
  assert.is(keyTarget('Home', 2, 3), 0)
  assert.is(keyTarget('End', 0, 3), 2)
  assert.is(keyTarget('a', 0, 3), null)
})

photos('finds the place under the pointer, or the nearest', () => {
  const boxes = [
    { left: 0, top: 0, right: 300, bottom: 200 },
    { left: 0, top: 210, right: 90, bottom: 300 },
    { left: 100, top: 210, right: 190, bottom: 300 },
  ]
  assert.is(placeAt(150, 100, boxes), 0)
  assert.is(placeAt(110, 250, boxes), 2)
  assert.is(placeAt(200, 290, boxes), 2)
  assert.is(placeAt(1, 1, []), -1)
})

photos('describes a photo’s position in Spanish', () => {
  assert.is(REORDER_TEXTS.over(1, 4), 'La foto está en el lugar 1 de 4: es la portada.')
  assert.is(REORDER_TEXTS.over(3, 4), 'La foto está en el lugar 3 de 4.')
  assert.is(REORDER_TEXTS.cancelled(2), 'Movimiento cancelado. La foto vuelve al lugar 2.')
})
