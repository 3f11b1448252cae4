import { missingSinceSentence } from '#features/lost/since.ts'
import { assert, suite } from '#tests/support/suites.ts'

const since = suite('unit/lost/since')

since('the band says in a sentence since when a dog is missing, in Madrid’s time', () => {
  const say = (time: string, now: string) =>
    missingSinceSentence({ since: Date.parse(time), zone: 'Getafe, Madrid' }, Date.parse(now))
  const now = '2026-11-28T10:00:00Z'
  assert.is(say('2026-11-27T11:31:00Z', now), 'Falta desde el 27 de noviembre a las 12:31, en Getafe, Madrid.')
  assert.is(say('2026-07-01T23:05:00Z', now), 'Falta desde el 2 de julio a la 1:05, en Getafe, Madrid.')
  assert.is(say('2025-12-31T22:00:00Z', now), 'Falta desde el 31 de diciembre de 2025 a las 23:00, en Getafe, Madrid.')
})

since.run()
