import { MAP_ONE_LINE_TITLE_MAX_CHARS, formatDogAge, isTwoLineTitle } from '#features/dogs/card/card.ts'
import { wrapIndex } from '#lib/numbers.ts'
import { EMPTY_DOG } from '#features/dogs/write/dog-fields.ts'
import { dogDescription, dogTitle, pathNumber } from '#features/dogs/page/meta.ts'
import { likerSummary } from '#features/likes/likes.ts'
import { assert, type Dog, suite } from '#tests/support/suites.ts'

const toby: Dog = {
  ...EMPTY_DOG,
  id: '0',
  name: 'Toby',
  breed: 'Beagle',
  breed_slug: 'beagle',
  age: 3,
  age_unit: 'años',
  weight: 12.5,
  zone: 'Madrid',
  is_adopted: false,
  size: 'mediano',
  photo_url: '/photos/a.jpg',
  user_id: null,
  owner_id: null,
  discoverer_id: null,
  created_at: 0,
  likes: 0,
  votes: 0,
  comments: 0,
  path: '/beagle/toby',
  card: null,
  frame: null,
  blur: null,
  images: [],
}

const card = suite('unit/dogs/dog-card')

card('shows ages in months under twelve, then years and months', () => {
  assert.is(formatDogAge({ age: 1, age_unit: 'meses' }), '1 mes')
  assert.is(formatDogAge({ age: 11, age_unit: 'meses' }), '11 meses')
  assert.is(formatDogAge({ age: 1, age_unit: 'años' }), '1 año')
  assert.is(formatDogAge({ age: 3, age_unit: 'años' }), '3 años')
  assert.is(formatDogAge({ age: 50, age_unit: 'meses' }), '4 años 2 meses')
  assert.is(formatDogAge({ age: null, age_unit: null }), null)
})

card('sets name and age on two lines by their joint length: from 17 letters, 21 on the map', () => {
  const age = '3 años'
  assert.not.ok(isTwoLineTitle('a'.repeat(10), age))
  assert.ok(isTwoLineTitle('a'.repeat(11), age))
  assert.ok(isTwoLineTitle('Maximiliano', '34 meses'))
  assert.not.ok(isTwoLineTitle('a'.repeat(16), null))
  assert.ok(isTwoLineTitle('a'.repeat(17), null))
  assert.not.ok(isTwoLineTitle('a'.repeat(14), age, MAP_ONE_LINE_TITLE_MAX_CHARS))
  assert.ok(isTwoLineTitle('a'.repeat(15), age, MAP_ONE_LINE_TITLE_MAX_CHARS))
})

card('summarises the dog’s likers', () => {
  assert.is(likerSummary(0, ''), '0')
  assert.is(likerSummary(1, 'Ana'), 'Ana')
  assert.is(likerSummary(97, 'Ana'), 'Ana 96+')
  // Nobody whom the reader meets.
  assert.is(likerSummary(1, ''), '1 persona')
  assert.is(likerSummary(2, ''), '2 personas')
})

card('the carousel wraps around at both ends', () => {
  assert.is(wrapIndex(0, -1, 4), 3)
  assert.is(wrapIndex(3, 1, 4), 0)
})

card('titles contain the number of a namesake', () => {
  assert.is(dogTitle(toby, null), 'Toby, Beagle | Perrario')
  const second = { ...toby, path: '/beagle/toby-2' }
  assert.is(pathNumber(second, 'toby'), 2)
  assert.is(dogTitle(second, 2), 'Toby 2, Beagle | Perrario')
  assert.is(pathNumber({ path: '/beagle/toby-2' }, 'toby-2'), null)
})

card('the description contains age, weight and card type', () => {
  assert.is(
    dogDescription({ ...toby, card: 'platinum' }),
    'Toby: Beagle, 3 años, 12,5 kg, cromo platino, Madrid. Míralo en Perrario, el álbum de los perros.',
  )
})
