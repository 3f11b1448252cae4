import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { lookUpBreed } from '#features/breeds/lookup.server.ts'
import { lookUp, editDistance, type LookupEntry, lookupName } from '#features/breeds/lookup.ts'
import { assert, dbSuite } from '#tests/support/suites.ts'
const entry = (slug: string, ...names: string[]): LookupEntry => ({
  slug,
  names: [lookupName(slug), ...names.map(lookupName)],
})
const BREEDS = [
  entry('pastor-aleman', 'German Shepherd', 'Ovejero alemán'),
  entry('pastor-belga'),
  entry('pug', 'Carlino'),
  entry('grifon-de-bruselas', 'Grifón'),
  entry('grifon-belga', 'Grifón'),
  entry('beagle'),
  entry('saluki', 'Galgo persa'),
  entry('shih-tzu'),
]

const lookup = dbSuite('unit/breeds/breed-lookup')

lookup('its own address is found', () => {
  assert.equal(lookUp('pastor-aleman', BREEDS), { found: 'pastor-aleman' })
})

lookup('case, accents, spaces and other names lead to the same breed', () => {
  for (const text of ['Pastor-Aleman', 'PASTOR ALEMÁN', 'pastor_aleman', 'pastoraleman', 'German Shepherd'])
    assert.equal(lookUp(text, BREEDS), { moved: 'pastor-aleman' }, text)
})

lookup('a typo of one or two letters is tolerated', () => {
  assert.equal(lookUp('pastor-alemna', BREEDS), { moved: 'pastor-aleman' })
  assert.equal(lookUp('beagel', BREEDS), { moved: 'beagle' })
  assert.equal(lookUp('pastorr-belgaa', BREEDS), { moved: 'pastor-belga' })
})

lookup('a typo is tolerated in each word, and one where blanks are left out', () => {
  assert.equal(lookUp('shih tsu', BREEDS), { moved: 'shih-tzu' })
  assert.equal(lookUp('galg perxa', BREEDS), { moved: 'saluki' })
  assert.equal(lookUp('pastoralemna', BREEDS), { moved: 'pastor-aleman' })
  assert.equal(lookUp('galgo-persas', BREEDS), { moved: 'saluki' })
})

lookup('a text that shares only one word with a name is near to it, not another spelling of it', () => {
  for (const text of ['gato-persa', 'Gato Persa', 'lobo-persa', 'alfombra-persa'])
    assert.equal(lookUp(text, BREEDS), { near: ['saluki'] }, text)
  assert.equal(lookUp('gatopersa', BREEDS), { near: [] })
  assert.equal(lookUp('pastor-marciano', BREEDS), { near: ['pastor-aleman', 'pastor-belga'] })
})

lookup(
  'no name of the catalogue with one of its words replaced by another animal leads to a breed by a typo',
  async ({ db }) => {
    const { breeds } = await getCatalogue(db)
    const animals = ['gato', 'caballo', 'conejo', 'pez', 'vaca']
    const texts = breeds
      .flatMap((breed) => [breed.nombre_castellano, ...breed.alias])
      .map((name) => name.split(/[\s-]+/))
      .filter((words) => words.length > 1)
      .flatMap((words, n) => words.map((_word, i) => words.with(i, animals[(n + i) % animals.length]!).join('-')))
    // Each costs milliseconds, and there are thousands.
    const sampled = texts.filter((_text, i) => i % 61 === 0)
    assert.ok(sampled.length > 30)
    const led: string[] = []
    for (const text of sampled) {
      const found = await lookUpBreed(db, text)
      if ('moved' in found) led.push(`${text} to ${found.moved}`)
    }
    assert.equal(led, [])
  },
)

lookup('short names are not guessed, and several candidates are listed', () => {
  assert.not.ok('moved' in lookUp('puf', BREEDS))
  assert.equal(lookUp('grifon', BREEDS), { near: ['grifon-de-bruselas', 'grifon-belga'] })
  assert.equal(lookUp('pastor', BREEDS), { near: ['pastor-aleman', 'pastor-belga'] })
  assert.equal(lookUp('pasotr', BREEDS), { near: ['pastor-aleman', 'pastor-belga'] })
  assert.equal(lookUp('unicornio', BREEDS), { near: [] })
})

lookup('a text that cannot name a breed is invalid', () => {
  assert.equal(lookUp('!!!', BREEDS), { invalid: true })
  assert.equal(lookUp('x'.repeat(500), BREEDS), { invalid: true })
})

lookup('typos are counted up to a limit', () => {
  assert.is(editDistance('galgo', 'galgo', 3), 0)
  assert.is(editDistance('glago', 'galgo', 3), 1)
  assert.is(editDistance('galgo', 'galgos', 3), 1)
  assert.is(editDistance('galgo', 'teckel', 2), 3)
})
