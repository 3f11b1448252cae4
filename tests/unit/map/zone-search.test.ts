import {
  judgeSearch,
  parseSearchCount,
  MAX_SEARCHES_PER_SESSION,
  SEARCH_DEBOUNCE_MS,
  searchProblem,
  normaliseSearch,
  displayPlaceName,
} from '#features/map/search/address-search.ts'
import {
  findZone,
  withZone,
  parseZones,
  serialiseZones,
  ZONE_CACHE_KEY,
  ZONE_CACHE_MAX,
} from '#features/map/search/zone-cache.ts'
import { assert, suite } from '#tests/support/suites.ts'

const search = suite('unit/map/zone-search')

search('a search has three characters at least, one a second, five a session', () => {
  assert.equal([SEARCH_DEBOUNCE_MS, MAX_SEARCHES_PER_SESSION], [1000, 5])
  assert.is(judgeSearch('Vi', null, 0), 'short')
  assert.is(judgeSearch('', null, 0), 'short')
  assert.is(judgeSearch('Vig', null, 0), 'search')
  // As a person counts them.
  assert.is(judgeSearch('e\u0301e', null, 0), 'short')
  assert.is(judgeSearch('Vigo', null, 4), 'search')
  assert.is(judgeSearch('Vigo', null, 5), 'spent')
})

search('a town with its province’s name is shown once', () => {
  const said = ['Cáceres, Cáceres', 'A Coruña, A Coruña', 'Toledo', 'Vigo, Pontevedra', 'Provincia de Cáceres']
  assert.equal(said.map(displayPlaceName), [
    'Cáceres',
    'A Coruña',
    'Toledo',
    'Vigo, Pontevedra',
    'Provincia de Cáceres',
  ])
})

search('the same place again is not a search, however it is spelt', () => {
  for (const again of ['Coruña', 'coruna', ' CORUÑA ', 'Coruña,'])
    assert.is(judgeSearch(again, 'Coruña', 2), 'repeat', again)
  assert.is(judgeSearch('Coruñas', 'Coruña', 2), 'search')
  // It does not count either.
  assert.is(judgeSearch('Coruña', 'Coruña', 5), 'repeat')
})

search('a query is one normalised line', () => {
  assert.is(normaliseSearch('  San\t Sebastián \n'), 'San Sebastián')
  assert.is(normaliseSearch('a'.repeat(300)).length, 100)
})

search('the session’s stored count is validated', () => {
  assert.equal(['3', '', null, '-1', 'cinco', '1e9', '12'].map(parseSearchCount), [3, 0, 0, 0, 0, 0, 12])
})

search('every failure has its message', () => {
  assert.equal([429, 422, 500, 503].map(searchProblem), [
    'Demasiadas búsquedas seguidas. Espera un momento y vuelve a intentarlo.',
    'No encontramos ese lugar. Prueba con el nombre de un municipio o de un barrio.',
    'La búsqueda no funciona ahora mismo. Inténtalo de nuevo más tarde.',
    'La búsqueda no funciona ahora mismo. Inténtalo de nuevo más tarde.',
  ])
})

search('the device caches zones by their text', () => {
  assert.is(ZONE_CACHE_KEY, 'geo_zone_cache_v2')
  const kept = withZone(new Map(), 'toledo', { center: [-4.02, 39.86], place_name: 'Toledo, Toledo' })
  assert.is(serialiseZones(kept), '{"toledo":[-4.02,39.86],"Toledo, Toledo":[-4.02,39.86]}')
  const read = parseZones(serialiseZones(kept))
  const toledo = { center: [-4.02, 39.86], place_name: 'Toledo, Toledo' }
  assert.equal(findZone(read, 'TOLEDO'), toledo)
  assert.equal(findZone(read, 'Toledo, Toledo'), toledo)
  assert.is(findZone(read, 'Tole'), null)
  assert.is(findZone(read, ''), null)
})

search('invalid cache entries are dropped', () => {
  for (const text of [null, '', 'null', '[]', '7', '"a"', '{', '{"a":', '[[1,2]]'])
    assert.is(parseZones(text).size, 0, String(text))
  const mixed = {
    Vigo: [-8.7, 42.2],
    '': [1, 1],
    '  ': [1, 1],
    lejos: [200, 0],
    polo: [0, 91],
    texto: ['1', '2'],
    corto: [1],
    largo: [1, 2, 3],
    objeto: { lon: 1, lat: 2 },
    nulo: null,
    ['x'.repeat(5000)]: [1, 1],
  }
  const text = JSON.stringify(mixed).replace('{', '{"__proto__":[1,1],"sin":[1e999,0],')
  const zones = parseZones(text)
  assert.equal([...zones.keys()], ['__proto__', 'Vigo'])
  assert.equal(findZone(parseZones(serialiseZones(zones)), 'vigo'), { center: [-8.7, 42.2], place_name: 'Vigo' })
  assert.is(({} as Record<string, unknown>)[0], undefined)
})

search('the cache never exceeds its limit, and evicts the oldest first', () => {
  let zones = parseZones(
    JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`Zona ${i}`, [1, 1]]))),
  )
  assert.is(zones.size, ZONE_CACHE_MAX)
  assert.not(zones.has('Zona 0'))
  zones = withZone(zones, 'Vigo', { center: [-8.7, 42.2], place_name: 'Vigo, Pontevedra' })
  assert.is(zones.size, ZONE_CACHE_MAX)
  assert.equal([...zones.keys()].slice(-2), ['Vigo', 'Vigo, Pontevedra'])
  // A place that was asked for again is not the oldest any more.
  const first = [...zones.keys()][0]!
  zones = withZone(zones, first, { center: [1, 1], place_name: first })
  assert.is([...zones.keys()].at(-1), first)
})
