import { readFoundInput } from '#features/found/found-input.server.ts'
import { AppError } from '#lib/errors.ts'
import { DAY_MS, MINUTE_MS } from '#lib/time.ts'
import { formOf } from '#tests/support/api.ts'
import { assert, suite } from '#tests/support/suites.ts'

const input = suite('unit/found/found-input')
const NOW = Date.UTC(2026, 10, 27, 12)
const iso = (time: number) => new Date(time).toISOString()

const read = (fields: Record<string, string>) => readFoundInput(formOf(fields), NOW)
function errorsOf(fields: Record<string, string>): Record<string, string> {
  try {
    read(fields)
  } catch (error) {
    if (error instanceof AppError && error.status === 422) return error.errors ?? {}
    throw error
  }
  return {}
}

input('a named place, an offered age and trimmed texts are read', () => {
  const { foundAt, place, ...texts } = read({ zone: 'getafe', ago: '30', coat: '  Negro ', size: 'mediano' })
  assert.equal([foundAt, place.zone], [NOW - 30 * MINUTE_MS, 'Getafe, Madrid'])
  assert.equal(texts, { size: 'mediano', coat: 'Negro', collar: '', words: '', question: '' })
})

input('without a time it is now, and a clock that is a little ahead is now too', () => {
  assert.is(read({ zone: 'getafe' }).foundAt, NOW)
  assert.is(read({ zone: 'getafe', found_at: iso(NOW + 9 * MINUTE_MS) }).foundAt, NOW)
})

input('times that are none, to come or too long ago are refused', () => {
  const sentence = (found_at: string) => errorsOf({ zone: 'getafe', found_at }).found_at ?? ''
  assert.is(sentence('ayer'), 'Di cuándo lo has encontrado.')
  assert.is(errorsOf({ zone: 'getafe', ago: '31' }).found_at, 'Di cuándo lo has encontrado.')
  assert.is(sentence(iso(NOW + 11 * MINUTE_MS)), 'Esa hora aún no ha llegado.')
  assert.match(sentence(iso(NOW - 61 * DAY_MS)), /^De eso hace más de 60 días/)
  assert.is(sentence(iso(NOW - 59 * DAY_MS)), '')
})

input('each refused field has its sentence', () => {
  const errors = errorsOf({ lat: '91', lon: '0', size: 'enorme', coat: 'x'.repeat(81) })
  assert.equal(Object.keys(errors).sort(), ['coat', 'size', 'zone'])
  assert.is(errors.zone, 'La posición no es válida.')
  assert.is(errorsOf({ lat: '39.5', lon: '1.0' }).zone?.includes('cae en el mar'), true)
  assert.match(errorsOf({}).zone ?? '', /^Di dónde lo has encontrado/)
})
