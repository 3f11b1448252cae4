import { searchBreeds } from '#features/breeds/search.ts'
import { assert, suite } from '#tests/support/suites.ts'

const search = suite('unit/breeds/breed-search')

const NAMES = [
  'Alano español',
  'Border Collie',
  'Bóxer',
  'Collie de pelo largo',
  'Fox terrier de pelo liso',
  'Pastor alemán',
  'Pastor belga malinois',
  'Pequeño perro león',
  'Shar Pei',
]

search('ignores accents and case', () => {
  assert.equal(searchBreeds('pastor aleman', NAMES), ['Pastor alemán'])
  assert.equal(searchBreeds('  PASTOR   ALEMÁN ', NAMES), ['Pastor alemán'])
  assert.equal(searchBreeds('shar-pei', NAMES), ['Shar Pei'])
})

search('a prefix ranks before the beginning of a word, which ranks before a middle', () => {
  assert.equal(searchBreeds('collie', NAMES), ['Collie de pelo largo', 'Border Collie'])
  assert.equal(searchBreeds('pe', NAMES), [
    'Pequeño perro león',
    'Collie de pelo largo',
    'Fox terrier de pelo liso',
    'Shar Pei',
  ])
  assert.equal(searchBreeds('o', ['Bobtail', 'Perro orito', 'Oso']), ['Oso', 'Perro orito', 'Bobtail'])
})

search('a name with exactly the typed letters ranks first', () => {
  assert.equal(searchBreeds('leon', ['Perro león', 'Perro leonero']), ['Perro leonero', 'Perro león'])
  assert.equal(searchBreeds('león', ['Perro leonero', 'Perro león']), ['Perro león', 'Perro leonero'])
  assert.equal(searchBreeds('Bóxer', ['Boxer', 'Bóxer']), ['Bóxer', 'Boxer'])
})

search('ñ ranks before n, at every position', () => {
  assert.equal(searchBreeds('ñ', ['Naranja', 'Español']), ['Español', 'Naranja'])
  assert.equal(searchBreeds('español', ['Espanolo', 'Alano español']), ['Alano español', 'Espanolo'])
  assert.equal(searchBreeds('espanol', NAMES), ['Alano español'])
  assert.equal(searchBreeds('ñ', ['Alano español'.normalize('NFD')]).length, 1)
})

search('an empty text returns all, an unknown one none', () => {
  assert.equal(searchBreeds('', NAMES), NAMES)
  assert.equal(searchBreeds('   ', NAMES), NAMES)
  assert.equal(searchBreeds('dragón', NAMES), [])
  assert.equal(searchBreeds('.*', NAMES), [])
})
