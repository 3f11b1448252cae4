import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deleteDog } from '#features/dogs/write/edit.server.ts'
import { answered, assert, dog, member, seed, serverSuite, type TestServer, UNKNOWN_ID } from '#tests/support/suites.ts'

const geo = serverSuite('api/map/position-override')

const feature = (id: string, lon: number, lat: number) => ({
  type: 'Feature',
  properties: { id, owner: 'ana@ejemplo.es' },
  geometry: { type: 'Point', coordinates: [lon, lat, 650] },
})
const ask = ({ url }: TestServer, headers: Record<string, string> = {}) => fetch(`${url}/dogs-geo.json`, { headers })

geo('dogs-geo.json is served if the operator provides it, with the points of visible dogs only', async ({ server }) => {
  const file = join(server.dataDir, 'dogs-geo.json')
  assert.is((await ask(server)).status, 404)

  const [ana, toby, luna] = await seed(server.db, member(), dog(), dog())
  const features = [feature(toby.id, -3.7, 40.4), feature(luna.id, -3.6, 40.5), feature(UNKNOWN_ID, 1, 41)]
  writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features }))
  const answer = await ask(server)
  assert.equal([answer.status, answer.headers.get('content-type')], [200, 'application/geo+json; charset=utf-8'])
  assert.is(answer.headers.get('cache-control'), 'no-cache')
  const text = await answer.text()
  assert.not.match(text, 'ejemplo.es')
  const places = (body: string) =>
    Object.fromEntries(
      (JSON.parse(body) as { features: ReturnType<typeof feature>[] }).features.map(({ properties, geometry }) => [
        properties.id,
        geometry.coordinates,
      ]),
    )
  assert.equal(places(text), { [toby.id]: [-3.7, 40.4], [luna.id]: [-3.6, 40.5] })

  const etag = answer.headers.get('etag')!
  assert.is((await ask(server, { 'If-None-Match': etag })).status, 304)
  assert.is((await ask(server, { 'If-None-Match': `W/${etag}` })).status, 304)

  // A dog that goes takes its point along at once.
  await deleteDog(server.db, server.dataDir, ana, luna.id)
  const later = await answered(200, ask(server, { 'If-None-Match': etag }))
  assert.equal(Object.keys(places(await later.text())), [toby.id])

  writeFileSync(file, '{"type": "FeatureCollection", "features": [{"ty')
  assert.is((await ask(server)).status, 404)
  rmSync(file)
  assert.is((await ask(server)).status, 404)
})
