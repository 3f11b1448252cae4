import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import type { Area } from '#features/map/map.ts'
import { parseOverrides } from '#features/map/index/location-overrides.server.ts'
import { queryStore, dogNames, storeSuite } from '#tests/support/map/store-suite.ts'
import { assert, dog, member, seed } from '#tests/support/suites.ts'

const map = storeSuite('unit/map/position-override')

const overrideOf = (...points: [string, number, number][]) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: points.map(([id, ...coordinates]) => ({
      type: 'Feature',
      properties: { id },
      geometry: { type: 'Point', coordinates },
    })),
  })

map('dogs-geo.json moves single dogs, or adds them; without it they return', async (w) => {
  const [, toby, nobody] = await seed(
    w.db,
    member(),
    dog({ name: 'Toby', zone: 'Madrid' }),
    dog({ name: 'Nadie', zone: null }),
    dog({ name: 'Luna', zone: 'Madrid' }),
  )
  await w.catchUp()
  writeFileSync(w.file, overrideOf([toby.id, 2.65, 39.57], [nobody.id, 2.65, 39.57], ['unknown', 0, 0]))
  await w.catchUp()
  const palma: Area[] = [[2.6, 39.5, 2.7, 39.6]]
  assert.equal(dogNames(await queryStore(w, 16, {}, palma)), ['Nadie', 'Toby'])
  // Several may share a point: they are spread around it like those of a zone.
  const [a, b] = (await queryStore(w, 16, {}, palma)).features
  assert.not.equal(a!.geometry, b!.geometry)
  rmSync(w.file)
  await w.catchUp()
  assert.equal(dogNames(await queryStore(w, 16, {}, palma)), [])
  assert.equal(dogNames(await queryStore(w)), ['Luna', 'Toby'])
  assert.equal(w.logged, [])
})

map('an invalid dogs-geo.json is logged once and has no effect', async (w) => {
  const [, toby] = await seed(w.db, member(), dog({ name: 'Toby', zone: 'Madrid' }))
  writeFileSync(w.file, overrideOf([toby.id, 2.65, 39.57]).slice(0, -4))
  await w.catchUp()
  await w.catchUp()
  assert.is(w.logged.length, 1)
  assert.match(w.logged[0]!, /^perrario · dogs-geo\.json no sirve y no se tiene en cuenta \(.+\)$/)
  assert.equal(dogNames(await queryStore(w, 16, {}, [[-4, 40, -3, 41]])), ['Toby'])
  writeFileSync(w.file, overrideOf([toby.id, 2.65, 39.57]))
  utimesSync(w.file, 1, 1)
  await w.catchUp()
  assert.equal(dogNames(await queryStore(w, 16, {}, [[2, 39, 3, 40]])), ['Toby'])
})

map('only valid coordinates with an id are accepted', () => {
  const bad = [
    '[]',
    '{"type":"FeatureCollection"}',
    overrideOf(['a', 200, 0]),
    overrideOf(['a', 0, 91]),
    overrideOf(['', 0, 0]),
    overrideOf(['a', 0, 0]).replace('Point', 'Polygon'),
    overrideOf(['a', 0, 0]).replace('[0,0]', '["0",0]'),
    overrideOf(['a', 0, 0]).replace('"id":"a"', '"nombre":"a"'),
  ]
  for (const text of bad) assert.throws(() => parseOverrides(text), undefined, text)
  assert.equal(
    [...parseOverrides(overrideOf(['a', 1.5, 2]).replace('[1.5,2]', '[1.5,2,600]'))],
    [['a', { lon: 1.5, lat: 2 }]],
  )
  assert.is(parseOverrides(overrideOf()).size, 0)
})
