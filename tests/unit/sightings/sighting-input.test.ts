import { assertNotEarly, readSightingInput } from '#features/sightings/sighting-input.server.ts'
import { AppError } from '#lib/errors.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/time.ts'
import { formOf } from '#tests/support/api.ts'
import { assert, suite } from '#tests/support/suites.ts'

const input = suite('unit/sightings/sighting-input')
const NOW = Date.UTC(2026, 10, 27, 12)

const read = (fields: Record<string, string>) => readSightingInput(formOf(fields), NOW)
function errorsOf(fields: Record<string, string>): Record<string, string> {
  try {
    read(fields)
  } catch (error) {
    if (error instanceof AppError && error.status === 422) return error.errors ?? {}
    throw error
  }
  return {}
}

input('a point is named by the nearest place, and the time is now', () => {
  assert.equal(read({ lat: '40.3057', lon: '-3.7329', words: '  Cojea ' }), {
    point: { lat: 40.3057, lon: -3.7329 },
    zone: 'Getafe, Madrid',
    at: NOW,
    words: 'Cojea',
  })
})

input('a zone is stored as the gazetteer writes it, and without a point', () => {
  assert.equal(read({ zone: 'getafe', ago: '30' }), {
    point: null,
    zone: 'Getafe, Madrid',
    at: NOW - 30 * MINUTE_MS,
    words: '',
  })
})

input('a point in the sea is refused', () => {
  assert.equal(errorsOf({ lat: '39.5', lon: '1.0' }), { zone: 'Ese punto está en el mar.' })
  assert.equal(errorsOf({ lat: '36.0', lon: '-9.5' }), { zone: 'Ese punto está en el mar.' })
})

input('points that are none are refused', () => {
  for (const [lat, lon] of [
    ['91', '0'],
    ['0', '181'],
    ['x', '-3'],
    ['40', ''],
    ['1e1', '3'],
    ['NaN', 'NaN'],
    ['40,3', '-3,7'],
  ] as const)
    assert.match(errorsOf({ lat, lon }).zone ?? '', /Ese sitio no existe/, `${lat} ${lon}`)
})

input('without any place, or with one that nobody knows, the form says what to write', () => {
  assert.match(errorsOf({}).zone ?? '', /^Di dónde ha sido/)
  assert.match(errorsOf({ zone: 'Xyzzyplugh' }).zone ?? '', /^No conocemos ese sitio/)
})

input('a time that has not come is refused, but for a clock that is minutes ahead', () => {
  const at = (ms: number) => new Date(NOW + ms).toISOString()
  assert.is(errorsOf({ zone: 'Getafe', at: at(HOUR_MS) }).at, 'Esa hora todavía no ha llegado.')
  assert.is(read({ zone: 'Getafe', at: at(5 * MINUTE_MS) }).at, NOW)
  assert.is(read({ zone: 'Getafe', at: at(-HOUR_MS) }).at, NOW - HOUR_MS)
})

input('a time that is none is refused', () => {
  for (const at of ['ayer', '2026-11-27', '2026-11-27T10:00', '2026-13-40T10:00:00Z', '1'])
    assert.is(errorsOf({ zone: 'Getafe', at }).at, 'No entendemos esa hora.', at)
  assert.is(errorsOf({ zone: 'Getafe', ago: '-5' }).at, 'No entendemos esa hora.')
})

input('a time long before the dog was lost is refused', () => {
  assertNotEarly(NOW - 23 * HOUR_MS, NOW)
  assert.throws(() => assertNotEarly(NOW - 25 * HOUR_MS, NOW), /todavía no se había perdido/)
})

input('words have up to 500 characters', () => {
  assert.is(read({ zone: 'Getafe', words: 'ñ'.repeat(500) }).words.length, 500)
  assert.is(errorsOf({ zone: 'Getafe', words: 'ñ'.repeat(501) }).words, 'No puede tener más de 500 caracteres.')
})

input('every wrong field has its sentence', () => {
  assert.equal(Object.keys(errorsOf({ at: 'x', words: 'x'.repeat(600) })), ['zone', 'at', 'words'])
})
