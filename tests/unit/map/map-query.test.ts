import { parseBbox } from '#features/map/map.ts'
import { mapDogsQuerySchema, mapQuerySchema } from '#features/map/map-query.ts'
import { JITTER_RADIUS_M, jitterLocation } from '#features/map/index/location-jitter.ts'
import { assert, suite } from '#tests/support/suites.ts'

const query = suite('unit/map/map-query')

const WRONG = 'La zona del mapa no es válida: se esperan cuatro números, oeste, sur, este y norte.'

query('a bbox is one area, or two across the antimeridian', () => {
  assert.equal(parseBbox('-4,40,-3,41'), [[-4, 40, -3, 41]])
  assert.equal(parseBbox(' -4.5, 40 ,-3, 41e0'), [[-4.5, 40, -3, 41]])
  assert.equal(parseBbox('170,-10,-170,10'), [
    [170, -10, 180, 10],
    [-180, -10, -170, 10],
  ])
})

query('the bbox of a cluster contains the dogs on its edges', () => {
  for (let i = 0; i < 2000; i++) {
    const west = Math.round(-1_800_000 + i * 1799.7) / 1e5
    const edges = [west, 40.41205, west + 0.00338, 40.41642].map((degrees) => Number(degrees.toFixed(5)))
    assert.equal(parseBbox(edges.join()), [edges], edges.join())
  }
})

query('a view of a repeated world or beyond a pole is normalised', () => {
  assert.equal(parseBbox('170,-10,190,10'), [
    [170, -10, 180, 10],
    [-180, -10, -170, 10],
  ])
  assert.equal(parseBbox('-190,-10,-170,10'), [
    [170, -10, 180, 10],
    [-180, -10, -170, 10],
  ])
  assert.equal(parseBbox('356,40,357,41'), [[-4, 40, -3, 41]])
  assert.equal(parseBbox('-464,-89,464,89'), [[-180, -89, 180, 89]])
  assert.equal(parseBbox('-180,-90,180,90'), [[-180, -90, 180, 90]])
  assert.equal(parseBbox('0,-120,10,95'), [[0, -90, 10, 90]])
})

query('invalid parameters are refused', () => {
  for (const text of ['', '1,2,3', '1,2,3,4,5', 'a,b,c,d', '1,,2,3', 'NaN,1,2,3', '0x10,0,20,1', 'Infinity,0,1,1'])
    assert.is(parseBbox(text), WRONG, text)
  assert.is(parseBbox('-4,41,-3,40'), 'La zona del mapa está del revés: su sur queda más arriba que su norte.')
  assert.is(parseBbox('500,40,-500,41'), 'La zona del mapa está del revés: su sur queda más arriba que su norte.')
  assert.is(parseBbox('-4,40,-3,900'), 'La zona del mapa se sale del mundo.')
  assert.is(parseBbox('-4e9,40,-3,41'), 'La zona del mapa se sale del mundo.')
})

const zoomOf = (zoom?: string) => mapQuerySchema.safeParse({ bbox: '0,0,1,1', ...(zoom && { zoom }) })

query('zoom is an integer from 1 to 18, 2 by default', () => {
  assert.equal(
    ['99', '18', '6.7', '0', '-5', '1e3', undefined].map((zoom) => zoomOf(zoom).data?.zoom),
    [18, 18, 6, 1, 1, 18, 2],
  )
  for (const zoom of ['cerca', 'NaN', '1,2'])
    assert.is(zoomOf(zoom).error?.issues[0]?.message, 'El zoom debe ser un número.')
})

query('filters and pages are parsed as in the list', () => {
  const read = (more: object) => mapDogsQuerySchema.safeParse({ bbox: '0,0,1,1', ...more })
  assert.is(read({ size: 'Pequeno' }).data?.size, 'pequeño')
  assert.is(read({ size: 'enorme' }).error?.issues[0]?.message, 'Tamaño no válido.')
  assert.is(read({ limit: '500' }).error?.issues[0]?.message, 'El límite debe estar entre 1 y 100.')
  assert.is(mapDogsQuerySchema.safeParse({}).error?.issues[0]?.message, WRONG)
})

const madrid = { lon: -3.70379, lat: 40.41678 }
const metres = (a: typeof madrid, b: typeof madrid) =>
  Math.hypot((a.lat - b.lat) * 111_320, (a.lon - b.lon) * 111_320 * Math.cos((b.lat * Math.PI) / 180))
const ids = Array.from({ length: 4000 }, (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`)

query('a dog always has the same point, never further than the spread', () => {
  const id = '8d3c1f1e-0b57-4d4e-9d0a-1f2b3c4d5e6f'
  // Written out: a change here would move every dog on every map.
  assert.equal(jitterLocation(id, madrid), { lon: -3.70196, lat: 40.41855 })
  for (const each of ids) assert.ok(metres(jitterLocation(each, madrid), madrid) <= JITTER_RADIUS_M + 1)
  assert.ok(new Set(ids.map((each) => JSON.stringify(jitterLocation(each, madrid)))).size > 3900)
})

query('the spread is even over the disc', () => {
  const places = ids.map((id) => jitterLocation(id, madrid))
  // A quarter of the disc's area is within half of its radius.
  const inner = places.filter((place) => metres(place, madrid) < JITTER_RADIUS_M / 2).length / places.length
  assert.ok(inner > 0.22 && inner < 0.28, `${inner}`)
  for (const quarter of [0, 1, 2, 3]) {
    const share =
      places.filter(({ lon, lat }) => Number(lon > madrid.lon) + 2 * Number(lat > madrid.lat) === quarter).length /
      places.length
    assert.ok(share > 0.22 && share < 0.28, `${quarter}: ${share}`)
  }
})

query('near the poles and the antimeridian a point is still on the map', () => {
  for (const zone of [
    { lon: 180, lat: 0 },
    { lon: -180, lat: 90 },
    { lon: 10, lat: -90 },
  ])
    for (const id of ids.slice(0, 100)) {
      const { lon, lat } = jitterLocation(id, zone)
      assert.ok(lon >= -180 && lon <= 180 && lat >= -85 && lat <= 85, `${lon} ${lat}`)
    }
})
