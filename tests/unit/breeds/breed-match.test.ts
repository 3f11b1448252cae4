import { readFileSync } from 'node:fs'
import breedKeys from '#data/dog-breed-keys.json' with { type: 'json' }
import mapped from '#data/breed-mappings.json' with { type: 'json' }
import reverse from '#data/reverse-breed-mappings.json' with { type: 'json' }
import {
  allBreeds,
  breedBySlug,
  breedNames,
  otherNames,
  resolveBreed,
  totalBreeds,
} from '#features/breeds/catalogue.server.ts'
import { breedKey } from '#features/breeds/match.ts'
import { assert, suite } from '#tests/support/suites.ts'

const match = suite('unit/breeds/breed-match: resolveBreed')

const is = (text: string, name: string, slug: string) => assert.equal(resolveBreed(text), { name, slug }, text)

match('case, accents and punctuation are ignored', () => {
  for (const text of ['Pastor Alemán', 'pastor aleman', ' PASTOR-ALEMÁN ', 'pastor alemán.', 'pastor-aleman'])
    is(text, 'Pastor alemán', 'pastor-aleman')
  for (const text of ['Shar Pei', 'shar-pei', 'SharPei']) is(text, 'Shar Pei', 'shar-pei')
  is('boxer', 'Bóxer', 'boxer')
})

match('mappings, other names and short keys lead to the catalogue name', () => {
  const pairs = {
    labrador: 'Labrador Retriever',
    Golden: 'Golden Retriever',
    Pug: 'Carlino',
    'perro salchicha': 'Teckel',
    'Bernese Mountain Dog': 'Boyero de Berna',
    'retriever-golden': 'Golden Retriever',
    'German Shepherd': 'Pastor alemán',
    Chiguagua: 'Chihuahua',
    'Perro de aguas': 'Perro de agua español',
    stbernard: 'San Bernardo',
    bullterrier: 'Bull Terrier',
    schnauzer: 'Schnauzer',
  }
  for (const [text, name] of Object.entries(pairs)) assert.is(resolveBreed(text).name, name, text)
})

match('mestizo, mix and mixed are Mestizo', () => {
  for (const text of ['mestizo', 'MESTIZO', 'Mestiza', 'mix', 'Mixed', 'mixto', '', '  ', '---'])
    assert.is(resolveBreed(text).slug, 'mestizo', text)
  for (const text of ['mestizo', 'mix', 'mixed', '']) is(text, 'Mestizo', 'mestizo')
})

match('an unresolved mix is shown as typed and counts as Mestizo', () => {
  is('Mezcla de podenco y galgo', 'Mezcla de podenco y galgo', 'mestizo')
  is('  Pastor con algo de husky ', 'Pastor con algo de husky', 'mestizo')
})

match('a text that could mean several breeds matches none', () => {
  for (const text of [
    'Fox terrier',
    'Pinscher',
    'pastor belga',
    'Welsh corgi',
    'Corgi',
    'Terrier',
    'Spaniel',
    'Podenco',
  ])
    is(text, text, 'mestizo')
  is('Fox terrier de pelo liso', 'Fox terrier de pelo liso', 'fox-terrier-de-pelo-liso')
  is('pinscher miniatura', 'Pinscher miniatura', 'pinscher-miniatura')
  is('malinois', 'Pastor belga malinois', 'pastor-belga-malinois')
})

match('names of objects in every language are not breeds', () => {
  for (const text of ['constructor', '__proto__', 'toString']) is(text, text, 'mestizo')
})

match('every catalogue breed resolves to itself', () => {
  for (const breed of allBreeds) assert.is(resolveBreed(breed.nombre_castellano).name, breed.nombre_castellano)
})

const data = suite('unit/breeds/breed-match: data')

data('breeds are found by slug, without duplicates', () => {
  assert.is(new Set(breedNames.map((b) => b.slug)).size, totalBreeds)
  assert.is(breedBySlug('pastor-aleman')?.nombre_castellano, 'Pastor alemán')
  assert.is(breedBySlug('mestizo')?.nombre_castellano, 'Mestizo')
  assert.is(breedBySlug('dragon'), undefined)
})

data('every mapping leads to a breed of the catalogue', () => {
  const names = new Set(allBreeds.map((b) => b.nombre_castellano))
  for (const table of [mapped.mappings, breedKeys.mappings, breedKeys.subbreeds])
    for (const [text, name] of Object.entries(table)) assert.ok(names.has(name), `${text} → ${name}`)
  assert.equal([breedKeys.mappings.mix, Object.keys(breedKeys.mappings).length], ['Mestizo', 90])
})

data('no text has two meanings or hides a catalogue name', () => {
  const names = new Set(allBreeds.map((b) => breedKey(b.nombre_castellano)))
  const seen = new Set<string>()
  for (const text of [...Object.keys(mapped.mappings), ...mapped.ambiguous]) {
    const key = breedKey(text)
    assert.not.ok(seen.has(key), `${text} stands twice in data/breed-mappings.json`)
    assert.not.ok(names.has(key), `${text} is a catalogue name already`)
    seen.add(key)
  }
})

data('the reverse mappings are the mappings reversed', () => {
  const back: Record<string, string[]> = {}
  for (const [text, name] of Object.entries(mapped.mappings)) (back[name] ??= []).push(text)
  assert.equal(reverse.mappings, back)
  assert.ok(otherNames('Chihuahua').includes('Chiguagua'))
  assert.equal(otherNames('constructor'), [])
})

data('each breed passes the rule for breed texts', () => {
  const raw = JSON.parse(readFileSync('data/razas.json', 'utf8')) as { nombre_castellano: string }[]
  for (const { nombre_castellano } of raw) assert.match(nombre_castellano, /^[a-zA-ZáéíóúüñÁÉÍÓÚÜÑ0-9 -]+$/)
})
