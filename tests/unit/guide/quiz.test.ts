import { QUESTIONS, readAnswers } from '#features/guide/quiz.ts'
import { suggestBreeds, warningsOf } from '#features/guide/quiz.server.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { breedMark } from '#features/breeds/profile/marks.ts'
import { profileOf } from '#features/breeds/profile/profiles.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { assert, suite } from '#tests/support/suites.ts'

const quiz = suite('unit/guide/quiz')

const catalogue = await getCatalogue(freshDb())
const suggest = (query: string) => suggestBreeds(readAnswers(new URLSearchParams(query)), catalogue)

/** Every way to answer all questions. */
const everyQuery = QUESTIONS.reduce<string[]>(
  (queries, { name, answers }) => queries.flatMap((query) => answers.map(({ value }) => `${query}&${name}=${value}`)),
  [''],
)

quiz('every way to answer gets at most five different breeds, never the mixed one, each with its reasons', () => {
  assert.is(everyQuery.length, 729)
  let empty = 0
  for (const query of everyQuery) {
    const matches = suggest(query)
    assert.ok(matches.length <= 5)
    assert.is(new Set(matches.map(({ breed }) => breed.slug)).size, matches.length)
    assert.not.ok(matches.some(({ breed }) => breed.slug === 'mestizo'))
    if (matches.length === 0) empty++
    if (query.includes('casa=piso')) for (const { reasons } of matches) assert.ok(reasons.length > 0, query)
  }
  assert.ok(empty / everyQuery.length < 0.1, `${empty} without a breed`)
})

quiz('a first dog for children in a flat is no livestock guardian', () => {
  const traits = (slug: string) => profileOf(slug)!.traits
  for (const { breed } of suggest('casa=piso&familia=ninos&experiencia=ninguna')) {
    assert.ok(traits(breed.slug).children![0] >= 3, breed.slug)
    assert.ok(traits(breed.slug).flat![0] >= 3, breed.slug)
    assert.ok(traits(breed.slug).firstTime![0] >= 3, breed.slug)
  }
})

quiz('answers matter: no breed is suggested for nearly everyone', () => {
  const times = new Map<string, number>()
  for (const query of everyQuery)
    for (const { breed } of suggest(query)) times.set(breed.slug, (times.get(breed.slug) ?? 0) + 1)
  assert.ok(times.size > 60, `${times.size} breeds are ever suggested`)
  for (const [slug, count] of times) assert.ok(count / everyQuery.length < 0.4, `${slug}: ${count}`)
})

quiz('a beginner is suggested no breed that a list names and none with a flat face', () => {
  for (const query of everyQuery.filter((answers) => answers.includes('experiencia=ninguna')))
    for (const { breed } of suggest(query)) assert.is(breedMark(breed), '', `${query}: ${breed.slug}`)
  assert.ok(suggest('casa=campo&experiencia=mucha&clima=suave').some(({ breed }) => breedMark(breed)))
})

quiz('unknown answers count as none', () => {
  assert.is(readAnswers(new URLSearchParams('casa=castillo&tiempo=&otra=piso&__proto__=piso')).size, 0)
  assert.is(readAnswers(new URLSearchParams('casa=piso&casa=campo')).get('casa')!.value, 'piso')
})

quiz('licence, short muzzle and heat are told', () => {
  const warnings = (slug: string) => warningsOf(catalogue.bySlug.get(slug)!).join(' ')
  assert.match(warnings('rottweiler'), /licencia/)
  assert.match(warnings('akita-americano'), /ayuntamiento/)
  assert.match(warnings('mastin-tibetano'), /^En Galicia pide licencia/)
  assert.match(warnings('bulldog-frances'), /hocico chato/)
  assert.is(warnings('beagle'), '')
})
