import { shownZone } from '#lib/text/zone.ts'
import { assert, suite } from '#tests/support/suites.ts'

const zone = suite('unit/lib/zone')

zone('a capital is told once, other places with what they are in', () => {
  for (const [name, shown] of [
    ['Madrid, Madrid', 'Madrid'],
    ['A Coruña, A Coruña', 'A Coruña'],
    ['Getafe, Madrid', 'Getafe, Madrid'],
    ['Malasaña, Madrid', 'Malasaña, Madrid'],
    ['Madrid', 'Madrid'],
    ['', ''],
    ['Madrid, Madrid, España', 'Madrid, Madrid, España'],
    ['Madrid,Madrid', 'Madrid,Madrid'],
  ] as const)
    assert.is(shownZone(name), shown)
})
