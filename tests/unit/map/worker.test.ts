import { once } from 'node:events'
import { createServer } from 'node:http'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteOf } from '#db/client.ts'
import { openMapService } from '#features/map/index/map-service.server.ts'
import type { Area, MapAnswer } from '#features/map/map.ts'
import { mapDogs, mapFeatures, type MapService } from '#features/map/map.server.ts'
import { geocode } from '#features/places/geocode.server.ts'
import { openMigratedDatabase } from '#tests/support/migrated-snapshot.ts'
import { assert, captureConsole, type Db, dog, folderSuite, member, seed } from '#tests/support/suites.ts'

const SPAIN: Area[] = [[-19, 27, 5, 44]]

const worker = folderSuite<{ db: Db; map: MapService }>('unit/map/worker')

worker.before.each(async (w) => {
  w.db = await openMigratedDatabase(join(w.dir, 'perrario.db'))
  w.map = openMapService(w.dir)
})
worker.after.each(async (w) => {
  await w.map.close()
  await w.db.destroy()
})

const queryMap = async (map: MapService, query: { breed?: string; size?: 'mini' } = {}): Promise<MapAnswer> => {
  const { body } = await mapFeatures(map, { bbox: SPAIN, zoom: 16, ...query })
  return JSON.parse(new TextDecoder().decode(body))
}
/** Asks until the worker has looked at the database again. */
async function waitUntil(map: MapService, enough: (answer: MapAnswer) => boolean): Promise<MapAnswer> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await queryMap(map)
    if (enough(answer)) return answer
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error('The map never showed it')
}

worker('answers from the database’s dogs and the actual gazetteer', async (w) => {
  const [, toby] = await seed(
    w.db,
    member(),
    dog({ name: 'Toby', zone: 'Toledo', breed: 'Beagle', size: 'mini' }),
    dog({ name: 'Luna', zone: 'Chamberí, Madrid', breed: 'Dálmata' }),
  )
  const answer = await queryMap(w.map)
  assert.equal([answer.visible, answer.total], [2, 2])
  const [lon, lat] = answer.features.find(({ id }) => id === toby.id)!.geometry.coordinates
  assert.ok(Math.abs(lon + 4.02) < 0.05 && Math.abs(lat - 39.86) < 0.05, `${lon},${lat}`)
  assert.is((await queryMap(w.map, { breed: 'dalmata' })).total, 1)
  assert.is((await queryMap(w.map, { size: 'mini' })).total, 1)
  assert.is((await queryMap(w.map, { breed: 'perro de tres cabezas' })).total, 0)
})

worker('equal answers have the same ETag, different ones do not', async (w) => {
  await seed(w.db, member(), dog({ zone: 'Toledo' }))
  const [a, b, c] = [16, 16, 2].map((zoom) => w.map.features({ areas: SPAIN, zoom }))
  assert.is((await a!).etag, (await b!).etag)
  await seed(w.db, member(), dog({ zone: 'Toledo' }))
  await waitUntil(w.map, ({ visible }) => visible === 2)
  assert.not.equal((await w.map.features({ areas: SPAIN, zoom: 2 })).etag, (await c!).etag)
})

worker('writes of another connection are on the map soon after', async (w) => {
  await queryMap(w.map)
  const [, toby] = await seed(w.db, member(), dog({ name: 'Toby', zone: 'Madrid' }))
  await waitUntil(w.map, ({ visible }) => visible === 1)
  sqliteOf(w.db).prepare('UPDATE dogs_all SET zone = ?, updated_at = ? WHERE id = ?').run('Vigo', Date.now(), toby.id)
  const moved = await waitUntil(w.map, ({ features }) => features[0]!.geometry.coordinates[0] < -8)
  assert.is(moved.visible, 1)
  sqliteOf(w.db).prepare('DELETE FROM dogs_all WHERE id = ?').run(toby.id)
  await waitUntil(w.map, ({ visible }) => visible === 0)
})

worker('changes of dogs-geo.json are applied while it runs', async (w) => {
  const [, toby] = await seed(w.db, member(), dog({ zone: 'Madrid' }))
  await waitUntil(w.map, ({ visible }) => visible === 1)
  const point = { type: 'Point', coordinates: [2.65, 39.57] }
  const features = [{ type: 'Feature', properties: { id: toby.id }, geometry: point }]
  writeFileSync(join(w.dir, 'dogs-geo.json'), JSON.stringify({ type: 'FeatureCollection', features }))
  await waitUntil(w.map, ({ features }) => features[0]!.geometry.coordinates[0] > 2)
})

worker('a zone resolved by Mapbox is a place from then on', async (w) => {
  await seed(w.db, member(), dog({ zone: 'Urbanización Los Pinos' }), dog({ zone: 'Madrid' }))
  await waitUntil(w.map, ({ visible }) => visible === 1)
  const stub = createServer((_, res) => {
    const found = { center: [-1.5, 38.2], place_name: 'Los Pinos, Murcia' }
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ features: [found] }))
  }).listen(0, '127.0.0.1')
  await once(stub, 'listening')
  const url = `http://127.0.0.1:${(stub.address() as { port: number }).port}`
  await geocode(w.db, 'urbanizacion los pinos', { token: 'x', url })
  stub.close()
  const { features } = await waitUntil(w.map, ({ visible }) => visible === 2)
  assert.ok(features.some(({ geometry }) => Math.abs(geometry.coordinates[0] + 1.5) < 0.01))
})

worker('pages have all fields of the dogs, newest first', async (w) => {
  await seed(
    w.db,
    member(),
    ...['Uno', 'Dos', 'Tres'].map((name, i) => dog({ name, zone: 'Madrid', created_at: 1000 + i })),
  )
  const first = await mapDogs(w.db, w.map, { bbox: SPAIN, limit: 2 })
  assert.equal(
    first.dogs.map(({ name, images }) => [name, images.length]),
    [
      ['Tres', 1],
      ['Dos', 1],
    ],
  )
  assert.is(first.visible, 3)
  // Each stands where its marker does.
  const markers = new Map((await queryMap(w.map)).features.map(({ id, geometry }) => [id, geometry.coordinates]))
  for (const { id, center } of first.dogs) assert.equal(center, markers.get(id))
  const second = await mapDogs(w.db, w.map, { bbox: SPAIN, limit: 2, cursor: first.nextCursor! })
  assert.equal([second.dogs.map(({ name }) => name), second.nextCursor], [['Uno'], null])
  const refused = await mapDogs(w.db, w.map, { bbox: SPAIN, cursor: 'zzz' }).catch((error) => error.status)
  assert.is(refused, 422)
})

worker('the idle thread ends, and starts again for the next request', async (w) => {
  await seed(w.db, member(), dog({ zone: 'Madrid' }))
  const map = openMapService(w.dir, { idleAfter: 50 })
  const first = await map.readStats()
  await new Promise((done) => setTimeout(done, 200))
  const second = await map.readStats()
  assert.is.not(second.thread, first.thread)
  assert.equal([first.placed, second.placed], [1, 1])
  await map.close()
})

worker('a closed map reports that it is unavailable', async (w) => {
  await w.map.close()
  const refused = await w.map.features({ areas: SPAIN, zoom: 2 }).catch((error) => error)
  assert.is(refused.status, 503)
  assert.match(refused.message, /El mapa no está disponible ahora mismo/)
})

worker('a map that cannot start answers 503 instead of hanging', async (w) => {
  const nowhere = openMapService(join(w.dir, 'nowhere'))
  using said = captureConsole()
  try {
    assert.is(await nowhere.features({ areas: SPAIN, zoom: 2 }).catch((error) => error.status), 503)
    assert.is(await nowhere.features({ areas: SPAIN, zoom: 2 }).catch((error) => error.status), 503)
    assert.is(said.length, 1)
  } finally {
    await nowhere.close()
  }
})
