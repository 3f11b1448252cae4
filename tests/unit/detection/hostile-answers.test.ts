import { parseDescription } from '#features/detection/parse-description.server.ts'
import { assert, suite } from '#tests/support/suites.ts'

const hostile = suite('unit/detection/hostile-answers')

const OBJECT = '{"toString":1,"valueOf":1}'
const LISTS = '['.repeat(50_000) + ']'.repeat(50_000)
for (const [what, value] of [
  ['an object that is no text', OBJECT],
  ['lists in lists', LISTS],
] as const)
  hostile(`${what} in place of a word says nothing`, () => {
    const answer = `{"razas":[{"raza":"Beagle","confianza":${value}}],"talla":${value},"pelo":[${value}]}`
    assert.equal(parseDescription(answer), { breeds: [{ breed: 'Beagle', confidence: 'baja' }], size: null, coat: [] })
  })

hostile.run()
