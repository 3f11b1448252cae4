import type { ListQuery } from '#features/dogs/list/list-query.ts'
import type { Area, ClusterFeature, DogFeature } from '#features/map/map.ts'
import { areaParam, countWithin, covers, withMargin } from '#features/map/view/view-area.ts'
import { formatMapQuery, viewportParams, parseViewport } from '#features/map/view/viewport.ts'
import { clusterFigure, clusterStep, markName, visibleWords } from '#features/map/view/texts.ts'
import { assert, suite } from '#tests/support/suites.ts'

const view = suite('unit/map/view')

const dogAt = (lon: number, lat: number, fields: Partial<DogFeature['properties']> = {}): DogFeature => ({
  type: 'Feature',
  id: 'toby',
  geometry: { type: 'Point', coordinates: [lon, lat] },
  properties: {
    id: 'toby',
    name: 'Toby',
    breed: 'Beagle',
    breed_slug: 'beagle',
    zone: 'Cáceres',
    photo_url: '',
    path: '/beagle/toby',
    likes: 0,
    ...fields,
  },
})
const cluster = (bbox: Area, point_count: number, expansion_zoom: number | null = 9): ClusterFeature => ({
  type: 'Feature',
  id: 1,
  bbox,
  geometry: { type: 'Point', coordinates: [(bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2] },
  properties: { cluster: true, cluster_id: 1, point_count, point_count_abbreviated: point_count, expansion_zoom },
})

view('dogs of a view are counted from marks unless a circle crosses its edge', () => {
  const marks = [dogAt(1, 1), dogAt(9, 9), cluster([2, 2, 3, 3], 12), cluster([20, 20, 21, 21], 5)]
  assert.is(countWithin(marks, [0, 0, 10, 10]), 14)
  assert.is(countWithin(marks, [0, 0, 5, 5]), 13)
  assert.is(countWithin([...marks, cluster([9, 9, 11, 11], 3)], [0, 0, 10, 10]), null)
  assert.is(countWithin(marks, [-190, 0, 10, 10]), null)
  assert.is(countWithin([], [0, 0, 1, 1]), 0)
})

view('a view is requested with a margin, and rounded', () => {
  assert.equal(withMargin([0, 0, 8, 4]), [-2, -1, 10, 5])
  assert.equal(withMargin([0, -80, 8, 89]).slice(1), [-90, 10, 90])
  assert.ok(covers(withMargin([0, 0, 8, 4]), [1, 0, 9, 4]))
  assert.not(covers(withMargin([0, 0, 8, 4]), [3, 0, 11, 4]))
  assert.is(areaParam([-3.123456789, 40, -3, 41.5]), '-3.12346,40,-3,41.5')
})

view('an address has as many decimals as its zoom shows', () => {
  const place = { lat: 40.416_775_3, lon: -3.703_79, zoom: 6 }
  assert.is(viewportParams(place), 'lat=40.42&lon=-3.7&zoom=6')
  assert.is(viewportParams({ ...place, zoom: 15 }), 'lat=40.41678&lon=-3.70379&zoom=15')
  const query: ListQuery = { breed: 'beagle', size: null, sort: 'recent', view: 'grid' }
  assert.is(formatMapQuery(query, place), '?breed=beagle&view=map&lat=40.42&lon=-3.7&zoom=6')
  assert.is(formatMapQuery(query, null), '?breed=beagle&view=map')
})

view('an address is parsed, and an invalid one is not a place', () => {
  const read = (text: string) => parseViewport(new URLSearchParams(text))
  assert.equal(read('lat=40.42&lon=-3.7&zoom=6'), { lat: 40.42, lon: -3.7, zoom: 6 })
  assert.equal(read('lat=0&lon=180&zoom=18.9'), null)
  for (const text of ['', 'lat=40&lon=3', 'lat=abc&lon=3&zoom=4', 'lat=86&lon=3&zoom=4', 'lat=4&lon=181&zoom=4'])
    assert.is(read(text), null, text)
  for (const zoom of ['0', '19', '99', '-3', 'NaN', 'Infinity', '1e9'])
    assert.is(read(`lat=1&lon=1&zoom=${zoom}`), null)
})

view('circles change colour at 10 and 25, and abbreviate thousands', () => {
  assert.equal([1, 9, 10, 24, 25, 9000].map(clusterStep), [1, 1, 2, 2, 3, 3])
  assert.equal([7, 1284, 9999, 12_345, 100_000].map(clusterFigure), ['7', '1.284', '9.999', '12 mil', '100 mil'])
})

view('marks have accessible names', () => {
  assert.is(markName(cluster([0, 0, 1, 1], 1284)), '1.284 perros, ampliar')
  assert.is(markName(cluster([0, 0, 1, 1], 300, null)), '300 perros, ver la lista')
  assert.is(markName(dogAt(0, 0)), 'Toby, Beagle, Cáceres')
  assert.is(markName(dogAt(0, 0, { name: '???', zone: null })), 'Sin nombre, Beagle')
  assert.equal([0, 1, 2].map(visibleWords), ['perros visibles', 'perro visible', 'perros visibles'])
})
