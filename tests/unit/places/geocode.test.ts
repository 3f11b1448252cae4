import { geocode } from '#features/places/geocode.server.ts'
import { geocodeAnswer, type MapboxStub, startMapboxStub } from '#tests/support/stubs/mapbox.ts'
import { assert, captureConsole, dbSuite, type DbWorld, pluck } from '#tests/support/suites.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 21)
const FOUND = { center: [-4.1, 40.2] as [number, number], place_name: 'Urbanización Los Chopos, Toledo, España' }

type Shared = DbWorld & { stub: MapboxStub; ask: (text: string, now?: number) => ReturnType<typeof geocode> }

const test = dbSuite<Shared>('unit/places/geocode')
test.before.each(async (t) => {
  t.stub = await startMapboxStub()
  t.ask = (text, now = NOW) => geocode(t.db, text, { token: 'pk.secreto', url: t.stub.url }, now)
})
test.after.each(({ stub }) => stub.stop())

test('a place in the gazetteer is not requested from Mapbox', async ({ ask, stub, db }) => {
  assert.equal(await ask('Chamberí, Madrid'), { center: [-3.704, 40.434], place_name: 'Chamberí, Madrid' })
  assert.equal(stub.requests, [])
  assert.is(await geocode(db, 'Los Chopos del Río', undefined), null)
})

test('other places are requested from Mapbox once, with the specified parameters, and stored', async ({
  ask,
  stub,
}) => {
  stub.answer = geocodeAnswer(FOUND, { center: [0, 0], place_name: 'otra' })
  assert.equal(await ask('Los Chopos; ñ/á'), FOUND)
  const [asked] = stub.requests
  assert.is(asked!.pathname, `/geocoding/v5/mapbox.places/${encodeURIComponent('Los Chopos  ñ/á')}.json`)
  assert.equal(Object.fromEntries(asked!.searchParams), {
    access_token: 'pk.secreto',
    limit: '1',
    language: 'es',
    country: 'ES',
    types: 'region,district,place,locality,neighborhood',
  })
  assert.equal(await ask('los chopos ñ á', NOW + 89 * DAY), FOUND)
  assert.is(stub.requests.length, 1)
  await ask('los chopos ñ á', NOW + 91 * DAY)
  assert.is(stub.requests.length, 2)
})

test('an empty answer is stored too, for a week; expired rows are deleted', async ({ ask, stub, db }) => {
  assert.is(await ask('urbanización inventada'), null)
  assert.is(await ask('Urbanización INVENTADA', NOW + 6 * DAY), null)
  assert.is(stub.requests.length, 1)
  await ask('urbanización inventada', NOW + 8 * DAY)
  assert.is(stub.requests.length, 2)
  await ask('otra más', NOW + 16 * DAY)
  assert.equal(pluck(await db.selectFrom('geocodes').select('key').execute(), 'key'), ['otra mas'])
  await ask('otra urbanización', NOW + 200 * DAY)
  const rows = await db.selectFrom('geocodes').select('key').execute()
  assert.equal(rows, [{ key: 'otra urbanizacion' }])
})

test('a failing Mapbox answers null and is asked again later', async ({ ask, stub, db }) => {
  using logged = captureConsole()
  for (const answer of [
    { status: 401, body: '{"message":"Not Authorized"}' },
    { status: 429, body: '' },
    { status: 200, body: '<html>' },
    { status: 200, body: '{"features":[{"center":[999,0],"place_name":"x"}]}' },
    { status: 200, body: '{"features":"no"}' },
  ]) {
    stub.answer = answer
    assert.is(await ask('urbanización inventada'), null)
  }
  assert.equal([stub.requests.length, logged.length], [5, 5])
  assert.not(logged.some((text) => text.includes('pk.secreto')))
  assert.equal(await db.selectFrom('geocodes').selectAll().execute(), [])
})

test('simultaneous requests for the same place cause one lookup', async ({ ask, stub }) => {
  stub.answer = geocodeAnswer(FOUND)
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('Los Chopos del Río')))
  assert.ok(answers.every((answer) => answer?.place_name === FOUND.place_name))
  assert.is(stub.requests.length, 1)
})
