import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fromJSONSchema } from 'zod'
import { like } from '#features/likes/likes.server.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { quarantineDog } from '#features/dogs/quarantine.server.ts'
import { call } from '#tests/support/api.ts'
import { READS } from '#tests/support/matrix/reads.ts'
import { dog, member, seed, withDatabase } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

interface World {
  server: TestServer
  ids: Record<string, string>
  document: any
}
const open = suite<World>('api open data')

open.before(async (w) => {
  w.server = await startServer()
  await withDatabase(w.server, async (db) => {
    const [ana, ...dogs] = await seed(
      db,
      member({ alias: 'Ana la Secreta', email: 'ana@ejemplo.es' }),
      dog({ name: 'Toby', zone: 'Toledo', age: 3, age_unit: 'años', weight: 12.5, size: 'mediano', created_at: 5000 }),
      dog({ name: 'Luna', zone: 'Chamberí, Madrid', breed: 'Dálmata', created_at: 4000 }),
      dog({ name: '', zone: 'asdfgh', created_at: 3000 }),
      dog({ name: '=Cosa', zone: 'Vigo', created_at: 2000 }),
      dog({ name: 'Oculto', zone: 'Toledo', created_at: 1000 }),
    )
    w.ids = Object.fromEntries(dogs.map(({ id, name }) => [name, id]))
    await like(db, ana, w.ids.Toby!)
    await addComment(db, ana, w.ids.Toby!, 'Hola')
    await db.transaction().execute((trx) => quarantineDog(trx, w.ids.Oculto!, 'admin' as never))
  })
  w.document = (await call(w.server, '/api/openapi.json')).body
})
open.after((w) => w.server.dispose())

const csv = async (w: World, query = '') => {
  const response = await fetch(`${w.server.url}/datos/perros.csv${query}`)
  return { response, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer()) }
}

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
function addressOf(w: World, path: string, operation: any): string {
  const query = new URLSearchParams(
    operation.parameters
      .filter((p: any) => p.in === 'query' && p.example !== undefined && p.name !== 'breed' && p.name !== 'size')
      .filter((p: any) => p.name !== 'raza' && p.name !== 'provincia')
      .map((p: any) => [p.name, String(p.example)]),
  )
  return `${path.replace('{id}', w.ids.Toby!)}?${query}`
}

open('the document is OpenAPI 3.1, without an absolute address of ours', async (w) => {
  const { status, headers, body } = await call(w.server, '/api/openapi.json')
  assert.is(status, 200)
  assert.is(headers.get('content-type'), 'application/json; charset=utf-8')
  assert.is(headers.get('access-control-allow-origin'), '*')
  assert.is(body.openapi, '3.1.0')
  assert.is(body.servers, undefined)
  assert.is(body.info.contact, undefined)
  assert.not.match(JSON.stringify(body), /localhost|127\.0\.0\.1|http:/)
  const again = await call(w.server, '/api/openapi.json', { headers: { 'If-None-Match': headers.get('etag')! } })
  assert.is(again.status, 304)
})

open('every address that it names answers as it says', async (w) => {
  assert.equal(Object.keys(w.document.paths), [
    '/api/dogs',
    '/api/dogs/{id}',
    '/api/dogs/{id}/likes',
    '/api/dogs/{id}/comments',
    '/api/breeds',
    '/razas-final.json',
    '/api/map',
    '/api/map/dogs',
    '/api/places',
    '/api/geocode',
    '/datos/perros.csv',
    '/datos/perros.geojson',
  ])
  for (const [path, { get }] of Object.entries<any>(w.document.paths)) {
    const address = addressOf(w, path, get)
    const response = await fetch(w.server.url + address)
    const text = await response.text()
    assert.is(response.status, 200, `${address} ${text.slice(0, 200)}`)
    const [[type, { schema }]] = Object.entries<any>(get.responses[200].content) as [[string, any]]
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

open('an answer that says more, or less, than the document is noticed', async (w) => {
  const schema = schemaOf(w, { $ref: '#/components/schemas/UnPerro' })
  const { body } = await call(w.server, `/api/dogs/${w.ids.Toby}`)
  assert.ok(schema.safeParse(body).success)
  assert.not.ok(schema.safeParse({ dog: { ...body.dog, email: 'x' } }).success)
  const { zone: _, ...less } = body.dog
  assert.not.ok(schema.safeParse({ dog: less }).success)
  assert.not.ok(schema.safeParse({ dog: { ...body.dog, likes: '1' } }).success)
})

open('refusals are as it says', async (w) => {
  const problem = schemaOf(w, { $ref: '#/components/schemas/Problema' })
  const lost = '00000000-0000-4000-8000-000000000000'
  for (const [path, { get }] of Object.entries<any>(w.document.paths)) {
    const wrong: [string, number][] = []
    if (get.responses[404]) wrong.push([path.replace('{id}', lost), 404])
    if (get.responses[422]) {
      const first = get.parameters.find((p: any) => ['limit', 'bbox', 'q', 'raza'].includes(p.name))
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
}

open('no public read is missing from it', (w) => {
  const open = Object.entries(READS)
    .filter(([name, { statuses }]) => /^GET \/(api|datos)\//.test(name) && statuses.visitor === 200)
    .map(([name]) => name)
  assert.ok(open.length > 12)
  const documented = new Set(
    Object.keys(w.document.paths).map((path) => `GET ${path.replaceAll(/\{(\w+)\}/g, '[$1]')}`),
  )
  assert.equal(
    open.filter((name) => !documented.has(name) && !(name in UNDOCUMENTED_PARTS)),
    [],
  )
  assert.equal(
    Object.keys(UNDOCUMENTED_PARTS).filter((name) => !open.includes(name)),
    [],
  )
})

open('parameters are those that the endpoints check', (w) => {
  const named = (path: string) =>
    w.document.paths[path].get.parameters.map((p: any) => `${p.name}${p.required ? '*' : ''}`)
  assert.equal(named('/api/dogs'), ['breed', 'size', 'sort', 'cursor', 'limit'])
  assert.equal(named('/api/dogs/{id}/comments'), ['id*', 'cursor', 'limit'])
  assert.equal(named('/api/map'), ['bbox*', 'view', 'zoom', 'breed', 'size'])
  assert.equal(named('/datos/perros.csv'), ['raza', 'provincia', 'cursor'])
  const sort = w.document.paths['/api/dogs'].get.parameters.find((p: any) => p.name === 'sort')
  assert.equal(sort.schema.enum, [
    'recent',
    'votes-desc',
    'votes-asc',
    'weight-desc',
    'weight-asc',
    'age-desc',
    'age-asc',
  ])
  for (const { get } of Object.values<any>(w.document.paths))
    for (const { name, description } of get.parameters) assert.ok(description, `${get.operationId} ${name}`)
})

open('the table: who is public, in the middle of their zone, and nobody’s name', async (w) => {
  const { response, text } = await csv(w)
  assert.is(response.status, 200)
  assert.is(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  assert.is(response.headers.get('content-disposition'), 'attachment; filename="perros.csv"')
  assert.is(response.headers.get('access-control-allow-origin'), '*')
  assert.is(response.headers.get('link'), null)
  const [head, toby, luna, nameless, formula, end] = text.split('\r\n')
  assert.is(
    head,
    '\uFEFFid,name,breed,breed_slug,age,age_unit,weight_kg,size,zone,province,lat,lon,likes,created,page,photo',
  )
  assert.match(
    toby!,
    /^"[0-9a-f-]{36}","Toby","Beagle","beagle",3,"años",12.5,"mediano","Toledo","Toledo",39\.8\d*,-4\.0\d*,1,"1970-01-01","\/beagle\/toby","\/photos\/.*\.jpg"$/,
  )
  assert.match(luna!, /,"Chamberí, Madrid","Madrid",40\.\d{1,3},-3\.\d{1,3},0,/)
  assert.match(nameless!, /^"[0-9a-f-]{36}",,"Beagle","beagle",,,,,"asdfgh",,,,0,/)
  assert.match(formula!, /^"[0-9a-f-]{36}","'=Cosa",/)
  assert.is(end, '')
  assert.not.match(text, /Oculto|Ana|ejemplo/)
})

open('the points are the gazetteer’s, not the map’s', async (w) => {
  const { body } = await call(w.server, '/datos/perros.geojson')
  const toby = body.features.find(({ id }: any) => id === w.ids.Toby)
  const { body: place } = await call(w.server, '/api/geocode?q=Toledo')
  assert.equal(toby.geometry.coordinates, place.center)
  assert.is(toby.properties.province, 'Toledo')
  assert.not.ok('owner_id' in toby.properties || 'user_id' in toby.properties || 'description' in toby.properties)
  assert.is(body.features.length, 4)
  assert.is(body.siguiente, null)
})

open('by breed and by province, as people write them', async (w) => {
  const names = async (query: string) =>
    (await call(w.server, `/datos/perros.geojson?${query}`)).body.features.map((f: any) => f.properties.name)
  assert.equal(await names('raza=dalmata'), ['Luna'])
  assert.equal(await names('provincia=toledo'), ['Toby'])
  assert.equal(await names('provincia=45'), ['Toby'])
  assert.equal(await names('provincia=Pontevedra&raza=Beagle'), ['=Cosa'])
  assert.equal(await names('provincia=Soria'), [])
  assert.equal(await names('provincia=&raza='), ['Toby', 'Luna', '', '=Cosa'])
})

open('what makes no sense is told', async (w) => {
  for (const [query, detail, field] of [
    ['raza=unicornio', 'No conocemos esa raza.', 'raza'],
    ['provincia=Narnia', 'No conocemos esa provincia.', 'provincia'],
    ['cursor=x', 'La página pedida no existe.', 'cursor'],
  ])
    for (const path of ['/datos/perros.csv', '/datos/perros.geojson']) {
      const { status, body } = await call(w.server, `${path}?${query}`)
      assert.is(status, 422)
      assert.is(body.detail, detail)
      assert.equal(body.errors, { [field!]: detail })
    }
})

open('304 while nothing changes, anew when something does; HEAD has the same head', async (w) => {
  const { response } = await csv(w)
  const etag = response.headers.get('etag')!
  const again = await fetch(`${w.server.url}/datos/perros.csv`, { headers: { 'If-None-Match': `W/${etag}` } })
  assert.is(again.status, 304)
  assert.is(await again.text(), '')
  const head = await fetch(`${w.server.url}/datos/perros.csv`, { method: 'HEAD' })
  assert.equal([head.status, head.headers.get('etag'), await head.text()], [200, etag, ''])
  await withDatabase(w.server, async (db) => {
    const [luis] = await seed(db, member())
    await like(db, luis, w.ids.Luna!)
  })
  const after = await fetch(`${w.server.url}/datos/perros.csv`, { headers: { 'If-None-Match': etag } })
  assert.is(after.status, 200)
})

open('no other call may be read by other sites’ pages', async (w) => {
  for (const path of ['/api/dogs', '/api/session', '/api/docs', `/api/dogs/${w.ids.Toby}/likes`])
    assert.is((await call(w.server, path)).headers.get('access-control-allow-origin'), null, path)
})

open('the page says all that the document says, and leads to the files', async (w) => {
  const { status, body, headers } = await call(w.server, '/api/docs')
  assert.is(status, 200)
  assert.match(headers.get('content-type')!, /^text\/html/)
  assert.match(body, /<h1>Datos abiertos y API<\/h1>/)
  for (const path of Object.keys(w.document.paths)) assert.ok(body.includes(`<code>${path}</code>`), path)
  for (const name of Object.keys(w.document.components.schemas)) assert.ok(body.includes(`id="r-${name}"`), name)
  for (const path of ['/datos/perros.csv', '/datos/perros.geojson', '/api/openapi.json'])
    assert.ok(body.includes(`href="${path}"`), path)
  assert.not.match(body, /name="robots"/)
  assert.not.match(body, /ld\+json/)
  for (const from of ['/login', '/terminos', '/privacidad'])
    assert.match((await call(w.server, from)).body, /href="\/api\/docs"/, from)
})

open('two thousand to a file, and the way to the next', async (w) => {
  await withDatabase(w.server, (db) =>
    seed(
      db,
      ...Array.from({ length: 2001 }, (_, i) => dog({ name: `Uno ${i}`, breed: 'Galgo español', owner_id: null })),
    ),
  )
  const { response, text } = await csv(w, '?raza=galgo-espanol')
  assert.is(text.split('\r\n').length, 2002)
  const link = /^<(\/datos\/perros\.csv\?raza=galgo-espanol&cursor=[\w-]+)>; rel="next"$/.exec(
    response.headers.get('link')!,
  )
  const { text: rest, response: last } = await csv(w, link![1]!.slice('/datos/perros.csv'.length))
  assert.is(rest.split('\r\n').length, 3)
  assert.is(last.headers.get('link'), null)
  const { body } = await call(w.server, '/datos/perros.geojson?raza=galgo-espanol')
  assert.is(body.features.length, 2000)
  assert.is((await call(w.server, `/datos/perros.geojson?cursor=${body.siguiente}`)).status, 200)
})

open('a hundred and twenty files a minute, and no more', async () => {
  const server = await startServer()
  try {
    const statuses: number[] = []
    for (let i = 0; i < 121; i++) statuses.push((await call(server, '/datos/perros.csv')).status)
    assert.equal([statuses.slice(0, 120).every((status) => status === 200), statuses[120]], [true, 429])
    const refused = await call(server, '/datos/perros.geojson')
    assert.is(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
  } finally {
    await server.dispose()
  }
})

open('with an address of its own, the site says it', async () => {
  const server = await startServer({ SITE_URL: 'https://perrario.example', ADMIN_EMAIL: 'jefa@ejemplo.es' })
  try {
    await withDatabase(server, (db) => seed(db, member(), dog({ name: 'Toby' })))
    const { body } = await call(server, '/api/openapi.json', { headers: { Host: 'otro.example' } })
    assert.equal(body.servers, [{ url: 'https://perrario.example' }])
    assert.is(body.info.termsOfService, 'https://perrario.example/terminos')
    assert.not.match(JSON.stringify(body), /jefa|otro\.example/)
    const { body: files } = await call(server, '/datos/perros.geojson')
    assert.is(files.features[0].properties.page, 'https://perrario.example/beagle/toby')
    assert.match(files.features[0].properties.photo, /^https:\/\/perrario\.example\/photos\//)
    const { body: page } = await call(server, '/api/docs')
    const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)!
    const dataset = JSON.parse(json!)
    assert.is(dataset['@type'], 'Dataset')
    assert.equal(
      dataset.distribution.map(({ contentUrl }: any) => contentUrl),
      ['https://perrario.example/datos/perros.csv', 'https://perrario.example/datos/perros.geojson'],
    )
    assert.ok(page.includes('<link rel="canonical" href="https://perrario.example/api/docs">'))
  } finally {
    await server.dispose()
  }
})

open.run()
