import type { DogStats } from '#features/dogs/dogs.ts'
import { formatListQuery, type ListQuery, nextSort, parseListQuery } from '#features/dogs/list/list-query.ts'
import { statRows } from '#features/dogs/list/stats.ts'
import { assert, suite } from '#tests/support/suites.ts'

const plain: ListQuery = { breed: null, size: null, sort: 'recent', view: 'grid' }
const stats: DogStats = {
  dogs: 12,
  breeds: 1,
  today: 2,
  total: 400,
  breedsTotal: 167,
  todayTotal: 8,
  likes: 1340,
  likesMax: 97,
  likesMin: 0,
  weightMax: 31.5,
  weightMin: 9,
  ageMax: 50,
  ageMin: 3,
}
const shown = (query: ListQuery, breed: string | null = null, visible?: number) =>
  statRows(query, stats, breed, visible).map(({ figure, label }) => `${figure} ${label}`)

const view = suite('unit/dogs/list-view')

view('the address contains the filters and sort of the list, without defaults', () => {
  const full: ListQuery = { breed: 'pastor-aleman', size: 'pequeño', sort: 'votes-asc', view: 'map' }
  assert.is(formatListQuery(plain), '')
  assert.equal(parseListQuery(new URLSearchParams(formatListQuery(full))), full)
  assert.equal(parseListQuery(new URLSearchParams('breed=%3Cb%3E&size=enorme&sort=color&view=3d')), plain)
})

view('a press on the active sort reverses it, except «Nuevos»', () => {
  assert.is(nextSort('votes', 'recent'), 'votes-desc')
  assert.is(nextSort('votes', 'votes-desc'), 'votes-asc')
  assert.is(nextSort('votes', 'votes-asc'), 'votes-desc')
  assert.is(nextSort('age', 'votes-desc'), 'age-desc')
  assert.is(nextSort('recent', 'recent'), 'recent')
})

view('the strip counts today, dogs and breeds', () => {
  assert.equal(shown(plain), ['2 nuevos hoy', '12 perros', '1 raza'])
  assert.equal(shown(plain, null, 7), ['2 nuevos hoy', '7 Visibles', '1 raza'])
})

view('with a breed the strip adds that breed, its today and its share', () => {
  assert.equal(shown({ ...plain, breed: 'beagle' }, 'Beagle'), [
    '8 nuevos hoy',
    '400 perros',
    '167 razas',
    '12 Beagle',
    '2 Beagle hoy',
    '3 % del total',
  ])
})

view('the strip shows the extremes of the sorted value', () => {
  assert.equal(shown({ ...plain, sort: 'weight-desc' }).slice(3), ['31,5 kg peso máx.', '9 kg peso mín.'])
  assert.equal(shown({ ...plain, sort: 'age-asc' }).slice(3), ['4 años 2 meses edad máx.', '3 meses edad mín.'])
  assert.equal(shown({ ...plain, sort: 'votes-desc' }).slice(3), ['1.340 likes', '97 likes máx.', '0 likes mín.'])
})
