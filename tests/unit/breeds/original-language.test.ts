import razas from '#data/razas.json' with { type: 'json' }
import { originalLanguage } from '#features/breeds/original-language.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

const languages = suite('unit/breeds/original-language')

const of = (nombre_original: string) =>
  originalLanguage(razas.find((breed) => breed.nombre_original === nombre_original)!)

languages('is shown for breeds whose language is known', () => {
  assert.is(of('Deutscher Schäferhund'), 'de')
  assert.is(of('Bouledogue français'), 'fr')
  assert.is(of('Beagle'), 'en')
  assert.is(of('Berger Blanc Suisse'), 'fr')
  assert.is(of('Cão de Água Português'), 'pt')
  assert.is(of("Gos d'atura català"), 'ca')
  assert.is(of('Russkaya psovaya borzaya'), 'ru-Latn')
})

languages('is not shown for Spanish names, invented words or an admin’s text', () => {
  assert.is(of('Galgo español'), undefined)
  assert.is(of('Caniche (variedad toy)'), undefined)
  assert.is(of('Basenji'), undefined)
  assert.is(of('Mestizo'), undefined)
  assert.is(originalLanguage({ nombre_original: 'Perro', pais_origen: 'Alemania' }, true), undefined)
})

languages('each tag is known to browsers', () => {
  const tags = new Set(razas.flatMap((breed) => originalLanguage(breed) ?? []))
  assert.ok(tags.size > 25, `${tags.size}`)
  const names = new Intl.DisplayNames('es', { type: 'language', fallback: 'none' })
  assertNone([...tags], (tag) => !names.of(tag))
})
