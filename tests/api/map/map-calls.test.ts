import { signInMember } from '#tests/support/members.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { startServer } from '#tests/support/server.ts'
import { isCluster, type MapDog, type MapFeature } from '#features/map/map.ts'
import { assert, call, contentOf, pluck, serverSuite, update, type WorldOf } from '#tests/support/suites.ts'

const SPAIN = '-19,27,5,44'
const map = serverSuite('api/map/map-calls', {}, async ({ server }) => {
  const [, ...dogs] = await seed(
    server.db,
    member(),
    dog({ name: 'Toby', zone: 'Toledo', breed: 'Beagle', size: 'mini', created_at: 1000 }),
    dog({ name: 'Luna', zone: 'Toledo', breed: 'Beagle', size: 'grande', created_at: 2000 }),
    dog({ name: 'Thor', zone: 'Vigo', breed: 'Dálmata', created_at: 3000 }),
    dog({ name: 'Nadie', created_at: 4000 }),
    dog({ name: 'Lejos', zone: 'asdfgh', created_at: 5000 }),
  )
  const ids = Object.fromEntries(dogs.map(({ id, name }) => [name, id]))
  return { ids }
})
type World = WorldOf<typeof map>

const ask = (w: World, query: Record<string, string>, path = '/api/map') =>
  call(w.server, `${path}?${new URLSearchParams(query)}`)

map('returns a collection of dogs near their zones, the same for everybody', async (w) => {
  const { status, body, headers } = await ask(w, { bbox: SPAIN, zoom: '15' })
  assert.equal([status, headers.get('content-type')], [200, 'application/json; charset=utf-8'])
  assert.is(headers.get('cache-control'), 'no-cache')
  assert.equal([body.type, body.visible, body.total], ['FeatureCollection', 3, 3])
  const toby = body.features.find((feature: MapFeature) => feature.id === w.ids.Toby)
  assert.equal(
    [toby.type, toby.geometry.type, toby.properties.name, toby.properties.zone, toby.properties.path],
    ['Feature', 'Point', 'Toby', 'Toledo', '/beagle/toby'],
  )
  assert.equal(Object.keys(toby.properties).sort(), [
    'breed',
    'breed_slug',
    'id',
    'likes',
    'name',
    'path',
    'photo_url',
    'zone',
  ])
  assert.ok(toby.geometry.coordinates.every((degrees: number) => /^-?\d+(\.\d{1,5})?$/.test(String(degrees))))
})

map('low zooms return clusters', async (w) => {
  const { body } = await ask(w, { bbox: SPAIN, zoom: '5' })
  const cluster = body.features.find((feature: MapFeature) => isCluster(feature))
  assert.equal([cluster.properties.point_count, cluster.properties.point_count_abbreviated], [2, 2])
  assert.is(cluster.id, cluster.properties.cluster_id)
  assert.ok(cluster.properties.expansion_zoom > 5)
  assert.is(cluster.bbox.length, 4)
  assert.is(body.features.length, 2)
})

map('zoom is bounded, and 2 by default', async (w) => {
  const of = async (zoom: string) => (await ask(w, { bbox: SPAIN, ...(zoom && { zoom }) })).body.features.length
  assert.equal([await of('99'), await of('-3'), await of('')], [3, 1, 1])
})

map('filters select dogs, and one without matches returns an empty map', async (w) => {
  const of = async (filter: Record<string, string>) => (await ask(w, { bbox: SPAIN, zoom: '16', ...filter })).body
  assert.is((await of({ breed: 'beagle' })).visible, 2)
  assert.is((await of({ breed: 'Beagle', size: 'mini' })).visible, 1)
  for (const filter of [{ breed: 'unicornio' }, { size: 'gigante' }] as Record<string, string>[]) {
    const { features, visible, total } = await of(filter)
    assert.equal([features, visible, total], [[], 0, 0])
  }
})

map('a view of the sea is empty, and one across the antimeridian is accepted', async (w) => {
  for (const bbox of ['-60,30,-50,40', '170,-20,-170,20', '-464,-89,-400,89']) {
    const { status, body } = await ask(w, { bbox, zoom: '9' })
    assert.equal([status, body.features, body.visible, body.total], [200, [], 0, 3])
  }
  // The world once more to the east, as maps that repeat it ask.
  assert.is((await ask(w, { bbox: '341,27,365,44' })).body.visible, 3)
})

map('invalid parameters are refused with a message', async (w) => {
  const wrong = 'La zona del mapa no es válida: se esperan cuatro números, oeste, sur, este y norte.'
  const refused: [Record<string, string>, string, string][] = [
    [{}, 'bbox', wrong],
    [{ bbox: 'hola' }, 'bbox', wrong],
    [{ bbox: '1,2,3' }, 'bbox', wrong],
    [{ bbox: '-4,41,-3,40' }, 'bbox', 'La zona del mapa está del revés: su sur queda más arriba que su norte.'],
    [{ bbox: '-4,40,-3,4000' }, 'bbox', 'La zona del mapa se sale del mundo.'],
    [{ bbox: SPAIN, zoom: 'cerca' }, 'zoom', 'El zoom debe ser un número.'],
    [{ bbox: SPAIN, size: 'enorme' }, 'size', 'Tamaño no válido.'],
  ]
  for (const [query, field, detail] of refused) {
    const { status, body, headers } = await ask(w, query)
    assert.equal([status, body.detail, body.errors[field]], [422, detail, detail])
    assert.match(headers.get('content-type')!, /^application\/problem\+json/)
  }
  for (const query of [{}, { bbox: SPAIN, limit: '0' }, { bbox: SPAIN, cursor: 'x' }] as Record<string, string>[])
    assert.is((await ask(w, query, '/api/map/dogs')).status, 422)
})

map('only dogs of the view inside the area are counted', async (w) => {
  const { body } = await ask(w, { bbox: SPAIN, view: '-5,39,-3,41', zoom: '15' })
  assert.equal([body.features.length, body.visible, body.total], [3, 2, 3])
  assert.is((await ask(w, { bbox: SPAIN, view: 'aquí' })).status, 422)
})

map('an unchanged answer is a 304', async (w) => {
  const path = `/api/map?bbox=${SPAIN}&zoom=15`
  const etag = (await call(w.server, path)).headers.get('etag')!
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    assert.equal(contentOf(await call(w.server, path, { headers: { 'If-None-Match': known } })), [304, undefined])
  }
  assert.is((await call(w.server, path, { headers: { 'If-None-Match': '"other"' } })).status, 200)
})

map('the dogs of a view come in pages, with all their fields', async (w) => {
  const first = (await ask(w, { bbox: SPAIN, limit: '2' }, '/api/map/dogs')).body
  assert.equal(pluck(first.dogs, 'name'), ['Thor', 'Luna'])
  assert.is(first.visible, 3)
  const [lon, lat] = first.dogs[0].center
  assert.ok(Math.abs(lon + 8.72) < 0.1 && Math.abs(lat - 42.23) < 0.1)
  assert.ok(first.dogs[0].images.length === 1 && 'card' in first.dogs[0])
  const next = (await ask(w, { bbox: SPAIN, limit: '2', cursor: first.nextCursor }, '/api/map/dogs')).body
  assert.equal([next.dogs.map((dog: MapDog) => dog.name), next.nextCursor], [['Toby'], null])
  const grande = (await ask(w, { bbox: SPAIN, size: 'grande' }, '/api/map/dogs')).body
  assert.equal([grande.dogs.length, grande.visible], [1, 1])
})

map('the dogs of a view can be sorted in every order of the list', async (w) => {
  const figures: [string, number, number | null][] = [
    ['Toby', 3, 9.5],
    ['Luna', 7, 30],
    ['Thor', 1, null],
  ]
  for (const [name, votes, weight] of figures)
    await update(w.server.db, 'dogs_all', { name }, { votes, weight, updated_at: Date.now() })
  const namesBy = async (sort: string, query: Record<string, string> = {}) => {
    const { body } = await ask(w, { bbox: SPAIN, sort, ...query }, '/api/map/dogs')
    return { ...body, dogs: body.dogs.map(({ name }: MapDog) => name) }
  }
  assert.equal((await namesBy('votes-desc')).dogs, ['Luna', 'Toby', 'Thor'])
  assert.equal((await namesBy('votes-asc')).dogs, ['Thor', 'Toby', 'Luna'])
  const first = await namesBy('votes-desc', { limit: '1' })
  assert.equal((await namesBy('votes-desc', { limit: '1', cursor: first.nextCursor })).dogs, ['Toby'])
  // A cursor of another order would skip dogs.
  assert.is((await ask(w, { bbox: SPAIN, sort: 'recent', cursor: first.nextCursor }, '/api/map/dogs')).status, 422)
  assert.is((await ask(w, { bbox: SPAIN, sort: 'mejor' }, '/api/map/dogs')).status, 422)
  // By weight only dogs that have one (docs/product.md §4.1); the map's thread knows of it within seconds.
  for (let tries = 0; (await namesBy('weight-desc')).listed !== 2; tries++) {
    assert.ok(tries < 100, 'listed is never 2')
    await new Promise((done) => setTimeout(done, 100))
  }
  const { dogs, visible } = await namesBy('weight-desc')
  assert.equal([dogs, visible], [['Luna', 'Toby'], 3])
})

map('past zoom 14 a merged crowd shows its newest dog’s photo', async (w) => {
  const crowd = Array.from({ length: 240 }, (_, i) => dog({ name: `Bola ${i}`, zone: 'Ceuta', created_at: 100 + i }))
  await seed(w.server.db, member(), ...crowd)
  const ceuta = { bbox: '-5.4,35.8,-5.2,36', zoom: '15' }
  for (let tries = 0; (await ask(w, ceuta)).body.visible !== 240; tries++) {
    assert.ok(tries < 100, 'the crowd is never seen')
    await new Promise((done) => setTimeout(done, 100))
  }
  const { body } = await ask(w, ceuta)
  assert.ok(body.features.length <= 200)
  const clusters = body.features.filter((feature: MapFeature) => isCluster(feature))
  assert.ok(clusters.length > 0)
  const one = clusters[0]
  const newest = (await ask(w, { bbox: String(one.bbox), limit: '1' }, '/api/map/dogs')).body.dogs[0]
  assert.is(one.properties.photo_url, newest.photo_url)
  assert.is(one.properties.point_count, (await ask(w, { bbox: String(one.bbox) }, '/api/map/dogs')).body.visible)
  // Circles of afar are figures alone.
  const far = (await ask(w, { ...ceuta, zoom: '9' })).body.features[0]
  assert.not('photo_url' in far.properties)
  await w.server.db.deleteFrom('dogs_all').where('zone', '=', 'Ceuta').execute()
})

map('a change through the API appears within seconds', async (w) => {
  const ana = await signInMember(w.server, 'ana@ejemplo.es')
  const [made] = await seed(w.server.db, dog({ name: 'Nube', owner_id: ana.id, created_at: 10 }))
  const nube = made
  const settled = async (visible: number) => {
    for (let tries = 0; tries < 100; tries++) {
      if ((await ask(w, { bbox: SPAIN, zoom: '16' })).body.visible === visible) return true
      await new Promise((done) => setTimeout(done, 100))
    }
    return false
  }
  const edit = { method: 'PATCH', cookie: ana.cookie, json: { zone: 'Palma' } }
  assert.is((await call(w.server, `/api/dogs/${nube.id}`, edit)).status, 200)
  assert.ok(await settled(4))
  assert.is((await call(w.server, `/api/dogs/${nube.id}`, { method: 'DELETE', cookie: ana.cookie })).status, 204)
  assert.ok(await settled(3))
})

map('the server stops while the map is open', async () => {
  await using server = await startServer()
  assert.is((await call(server, `/api/map?bbox=${SPAIN}`)).status, 200)
  assert.is(await server.stop(), 0)
})
