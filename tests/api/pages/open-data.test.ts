import { fromJSONSchema } from 'zod'
import { READS } from '#tests/support/matrix/reads.ts'
import { type DocumentedOperation, openDataSuite, type World } from '#tests/support/open-data-suite.ts'
import { assert, assertNone, call, UNKNOWN_ID } from '#tests/support/suites.ts'

const open = openDataSuite('api/pages/open-data')

/** A schema of the document as zod reads it, every object of it closed: an answer says what is written, and no more. */
function schemaOf({ document }: World, schema: object) {
  const closed = JSON.parse(JSON.stringify({ ...schema, $defs: document.components.schemas }), (_, value) => {
    if (value?.type === 'object' && value.properties) return { additionalProperties: false, ...value }
    if (typeof value?.$ref === 'string')
      return { ...value, $ref: value.$ref.replace('#/components/schemas/', '#/$defs/') }
    return value
  })
  return fromJSONSchema(closed)
}

/** The address of a documented path, with the examples of what it must or may be given. */
function addressOf(w: World, path: string, operation: DocumentedOperation): string {
  const query = new URLSearchParams(
    operation.parameters
      .filter((p) => p.in === 'query' && p.example !== undefined && p.name !== 'breed' && p.name !== 'size')
      .filter((p) => p.name !== 'raza' && p.name !== 'provincia')
      .map((p) => [p.name, String(p.example)]),
  )
  return `${path.replace('{id}', w.ids.Toby!)}?${query}`
}

open('the document is OpenAPI 3.1, without an absolute address of ours', async (w) => {
  const { status, headers, body } = await call(w.server, '/api/openapi.json')
  assert.equal([status, headers.get('content-type')], [200, 'application/json; charset=utf-8'])
  assert.is(headers.get('access-control-allow-origin'), '*')
  assert.equal([body.openapi, body.servers, body.info.contact], ['3.1.0', undefined, undefined])
  assert.not.match(JSON.stringify(body), /localhost|127\.0\.0\.1|http:/)
  const again = await call(w.server, '/api/openapi.json', { headers: { 'If-None-Match': headers.get('etag')! } })
  assert.is(again.status, 304)
})

open('every address in it answers as documented', async (w) => {
  assert.equal(Object.keys(w.document.paths), [
    '/api/dogs',
    '/api/dogs/{id}',
    '/api/dogs/{id}/likes',
    '/api/dogs/{id}/comments',
    '/api/breeds',
    '/razas-final.json',
    '/api/map',
    '/api/map/dogs',
    '/api/map/lost',
    '/api/places',
    '/api/geocode',
    '/datos/perros.csv',
    '/datos/perros.geojson',
  ])
  for (const [path, { get }] of Object.entries(w.document.paths)) {
    const address = addressOf(w, path, get)
    const response = await fetch(w.server.url + address)
    const text = await response.text()
    assert.is(response.status, 200, `${address} ${text.slice(0, 200)}`)
    const [[type, { schema }]] = Object.entries(get.responses[200]!.content) as [[string, { schema: object }]]
    assert.is(response.headers.get('content-type')!.split(';')[0], type, address)
    if (type === 'text/csv') continue
    const result = schemaOf(w, schema).safeParse(JSON.parse(text))
    assert.ok(result.success, `${address}: ${JSON.stringify(result.error?.issues ?? []).slice(0, 600)}`)
    if (get.responses[304]) {
      const known = await fetch(w.server.url + address, { headers: { 'If-None-Match': response.headers.get('etag')! } })
      assert.is(known.status, 304, address)
    }
  }
})

open('a response with more or fewer fields than documented is detected', async (w) => {
  const schema = schemaOf(w, { $ref: '#/components/schemas/UnPerro' })
  const { body } = await call(w.server, `/api/dogs/${w.ids.Toby}`)
  assert.ok(schema.safeParse(body).success)
  assert.not.ok(schema.safeParse({ dog: { ...body.dog, email: 'x' } }).success)
  const { zone: _, ...less } = body.dog
  assert.not.ok(schema.safeParse({ dog: less }).success)
  assert.not.ok(schema.safeParse({ dog: { ...body.dog, likes: '1' } }).success)
})

open('refusals are as documented', async (w) => {
  const problem = schemaOf(w, { $ref: '#/components/schemas/Problema' })
  for (const [path, { get }] of Object.entries(w.document.paths)) {
    const wrong: [string, number][] = []
    if (get.responses[404]) wrong.push([path.replace('{id}', UNKNOWN_ID), 404])
    if (get.responses[422]) {
      const first = get.parameters.find((p) => ['limit', 'bbox', 'q', 'raza'].includes(p.name))!
      wrong.push([`${path.replace('{id}', w.ids.Toby!)}?${first.name}=${'z'.repeat(150)}`, 422])
    }
    for (const [address, expected] of wrong) {
      const { status, headers, body } = await call(w.server, address)
      assert.is(status, expected, address)
      assert.is(headers.get('content-type'), 'application/problem+json; charset=utf-8')
      assert.ok(problem.safeParse(body).success, address)
      assert.ok(`${expected}` in get.responses)
    }
  }
})

/** What a visitor may read under /api that the document leaves out, and why. */
const UNDOCUMENTED_PARTS: Record<string, string> = {
  'GET /api/session': 'who is signed in: nobody, to a program',
  'GET /api/breed-detection': 'whether the form may ask for the breed in a photo',
  'GET /api/profile/alias': 'whether an alias is free: of the form of a profile',
  'GET /api/today': 'what the header of a page counts, a few seconds late',
  'GET /api/events': 'the stream that open pages listen to',
  'GET /api/openapi.json': 'the document itself',
  'GET /api/proof-of-work': 'a puzzle for a network that is asked for one',
}

open('every public read is in it', (w) => {
  const open = Object.entries(READS)
    .filter(([name, { statuses }]) => /^GET \/(api|datos)\//.test(name) && statuses.visitor === 200)
    .map(([name]) => name)
  assert.ok(open.length > 12)
  const documented = new Set(
    Object.keys(w.document.paths).map((path) => `GET ${path.replaceAll(/\{(\w+)\}/g, '[$1]')}`),
  )
  assertNone(open, (name) => !documented.has(name) && !(name in UNDOCUMENTED_PARTS))
  assertNone(Object.keys(UNDOCUMENTED_PARTS), (name) => !open.includes(name))
})

open('parameters are the ones that the endpoints validate', (w) => {
  const named = (path: string) => w.document.paths[path]!.get.parameters.map((p) => `${p.name}${p.required ? '*' : ''}`)
  assert.equal(named('/api/dogs'), ['breed', 'size', 'sort', 'cursor', 'limit'])
  assert.equal(named('/api/dogs/{id}/comments'), ['id*', 'cursor', 'limit'])
  assert.equal(named('/api/map'), ['bbox*', 'view', 'zoom', 'breed', 'size'])
  assert.equal(named('/datos/perros.csv'), ['raza', 'provincia', 'cursor', 'formato'])
  const sort = w.document.paths['/api/dogs']!.get.parameters.find((p) => p.name === 'sort')!
  assert.equal(sort.schema.enum, [
    'recent',
    'votes-desc',
    'votes-asc',
    'weight-desc',
    'weight-asc',
    'age-desc',
    'age-asc',
  ])
  for (const { get } of Object.values(w.document.paths))
    for (const { name, description } of get.parameters) assert.ok(description, `${get.operationId} ${name}`)
})
