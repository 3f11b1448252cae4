import { PLACE_TEXTS } from '#features/places/places.ts'
import { geocodeAnswer, startMapboxStub } from '#tests/support/stubs/mapbox.ts'
import { type Answer, assert, call, contentOf, detailOf, startServer, suite } from '#tests/support/suites.ts'

const stub = await startMapboxStub()
const server = await startServer({ MAPBOX_TOKEN: 'pk.prueba', MAPBOX_URL: `${stub.url}/` })

const api = suite('api/map/places')
api.after(async () => {
  await server.dispose()
  stub.stop()
})

const geocode = (q: string) => call(server, `/api/geocode?${new URLSearchParams({ q })}`)
const places = (q: string) => call(server, `/api/places?${new URLSearchParams({ q })}`)

function assertProblem({ status, body, headers }: Answer, detail: string): void {
  assert.is(status, 422, JSON.stringify(body))
  assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/)
  assert.is(body.detail, detail)
}

api('geocode returns point and name from our own data', async () => {
  const { status, body, headers } = await geocode(' coruña,  a ')
  assert.equal([status, headers.get('cache-control'), body.place_name], [200, 'no-store', 'A Coruña, A Coruña'])
  assert.ok(Math.abs(body.center[0] + 8.396) < 0.03 && Math.abs(body.center[1] - 43.371) < 0.03)
  assert.is(stub.requests.length, 0)
})

api('geocode requests other places from Mapbox and stores the answer, over a restart too', async () => {
  stub.answer = geocodeAnswer({ center: [-4.1, 40.2], place_name: 'Los Chopos, Toledo, España' })
  const expected = { center: [-4.1, 40.2], place_name: 'Los Chopos, Toledo, España' }
  assert.equal((await geocode('Los Chopos del Río')).body, expected)
  stub.answer = { status: 500, body: '' }
  await server.restart()
  assert.equal((await geocode('los chopos del rio')).body, expected)
  assert.is(stub.requests.length, 1)
})

api('geocode returns null for unknown places and when Mapbox fails', async () => {
  stub.answer = { status: 401, body: '{"message":"Not Authorized - Invalid Token"}' }
  assert.equal(contentOf(await geocode('zzzz nada')), [200, null])
  stub.answer = geocodeAnswer()
  assert.equal(contentOf(await geocode('zzzz nada')), [200, null])
  assert.not.match(server.output(), /pk\.prueba/)
})

api('geocode requires three to a hundred characters', async () => {
  assertProblem(await geocode('ab'), 'Escribe al menos 3 caracteres.')
  assertProblem(await geocode('  a   '), 'Escribe al menos 3 caracteres.')
  assertProblem(await call(server, '/api/geocode'), 'Escribe al menos 3 caracteres.')
  assertProblem(await geocode('x'.repeat(101)), 'El lugar no puede tener más de 100 caracteres.')
  assert.is((await call(server, '/api/geocode', { method: 'POST' })).status, 405)
})

api('120 searches a minute are accepted, thousands are not', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 120; i++) statuses.push((await geocode(`Toledo`)).status)
  assert.ok(statuses.every((status) => status === 200))
  let last: Answer | undefined
  for (let i = 0; i < 300 && last?.status !== 429; i++) last = await geocode('Toledo')
  assert.is(last!.status, 429)
  assert.ok(Number(last!.headers.get('retry-after')) > 0)
})

api('places suggests towns and quarters, and is cacheable by browsers', async () => {
  const { status, body, headers } = await places('chamber')
  assert.equal([status, headers.get('cache-control')], [200, 'public, max-age=86400'])
  assert.equal(body.places[0], { name: 'Chamberí, Madrid', kind: 'district' })
  assert.is((await places('san')).body.places.length, 8)
  assert.equal((await places('m')).body, { places: [] })
  assert.equal((await places('zzzz')).body, { places: [] })
  assertProblem(await places('x'.repeat(101)), 'El lugar no puede tener más de 100 caracteres.')
})

api(
  'the daily limit of Mapbox requests counts for everybody, a quarter for one network; known places are exempt',
  async () => {
    stub.answer = geocodeAnswer()
    const settings = { MAPBOX_TOKEN: 'pk.prueba', MAPBOX_URL: stub.url, TRUST_PROXY: '1', GEOCODES_PER_DAY: '8' }
    await using small = await startServer(settings)
    let asked = 0
    const search = (n: number, q = `inventado ${'abcdefghij'[asked++ % 10]} ${asked}`) =>
      call(small, `/api/geocode?${new URLSearchParams({ q })}`, { headers: { 'X-Forwarded-For': `10.4.0.${n}` } })
    const stored = async () => (await small.db.selectFrom('geocodes').select('key').execute()).length
    const from = stub.requests.length
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) statuses.push((await search(1)).status)
    assert.equal(statuses, [200, 200, 429, 429])
    for (const n of [2, 3, 4]) for (let times = 0; times < 2; times++) assert.is((await search(n)).status, 200)
    const over = await search(5)
    assert.equal(detailOf(over), [429, PLACE_TEXTS.tooMany])
    assert.ok(Number(over.headers.get('retry-after')) > 3600)
    assert.equal([stub.requests.length - from, await stored()], [8, 8])
    assert.is((await search(5, 'Toledo')).status, 200)
    await small.restart()
    assert.is((await search(6)).status, 429, 'a restart begins no other day')
    assert.is(stub.requests.length - from, 8)
  },
)
