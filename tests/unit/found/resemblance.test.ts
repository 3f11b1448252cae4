import { readFoundPlace } from '#features/found/place.server.ts'
import { distanceBandOf, compareDogs, type DogTraits, MIN_SCORE } from '#features/found/resemblance.ts'
import { DAY_MS } from '#lib/time.ts'
import { assert, suite } from '#tests/support/suites.ts'

const test = suite('unit/found/resemblance')

const MADRID = { lat: 40.4168, lon: -3.7038 }
const traits = (fields: Partial<DogTraits> = {}): DogTraits => ({
  point: MADRID,
  size: null,
  breedSlug: null,
  looks: '',
  at: 10 * DAY_MS,
  ...fields,
})
const score = (found: Partial<DogTraits>, lost: Partial<DogTraits>) =>
  compareDogs(traits(found), traits(lost))?.score ?? 0

test('distances are told in bands', () => {
  assert.equal([0, 4.9, 5, 24, 49.9, 50].map(distanceBandOf), [5, 5, 10, 25, 50, null])
})

test('breed, size and coat each make a dog more alike', () => {
  const plain = score({}, {})
  assert.ok(score({ breedSlug: 'beagle' }, { breedSlug: 'beagle' }) > plain)
  assert.ok(score({ size: 'grande' }, { size: 'grande' }) > plain)
  assert.ok(score({ looks: 'negra y blanca' }, { looks: 'Es negro.' }) > plain)
})

test('a dog two sizes away, or found before it was lost, is another one', () => {
  assert.ok(score({ size: 'mini' }, { size: 'grande' }) < MIN_SCORE)
  assert.is(compareDogs(traits({ at: 8 * DAY_MS }), traits()), null)
})

test('of a point its zone’s middle is compared, which tells no more than the zone', () => {
  const near = { lat: MADRID.lat + 0.0003, lon: MADRID.lon }
  for (const point of [MADRID, near]) {
    const { zone, matchPoint } = readFoundPlace('', point)
    assert.equal(matchPoint, readFoundPlace(zone, null).matchPoint)
    assert.not.equal(matchPoint, point)
  }
})

test('a point has the nearest place’s zone, and none in the sea', () => {
  assert.is(readFoundPlace('', { lat: 39.8581, lon: -4.0226 }).zone, 'Toledo, Toledo')
  assert.throws(() => readFoundPlace('', { lat: 35, lon: -40 }), /cae en el mar/)
  assert.throws(() => readFoundPlace('Xyzzy', null), /No conocemos ese lugar/)
  assert.throws(() => readFoundPlace('Provincia de Toledo', null), /demasiado grande/)
})
