import { like } from '#features/likes/likes.server.ts'
import { fetchCsv, openDataSuite } from '#tests/support/open-data-suite.ts'
import { answered, assert, assertNoMatch, call, dog, member, pluck, seed, startServer } from '#tests/support/suites.ts'

const open = openDataSuite('api/pages/open-data-files')

open('the table has public dogs, in the middle of their zone, and no member’s name', async (w) => {
  const { response, text } = await fetchCsv(w)
  assert.is(response.status, 200)
  assert.is(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  assert.is(response.headers.get('content-disposition'), 'attachment; filename="perros.csv"')
  assert.equal([response.headers.get('access-control-allow-origin'), response.headers.get('link')], ['*', null])
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

open('the table for spreadsheets in Spanish is the same with semicolons and decimal commas', async (w) => {
  const { response, text } = await fetchCsv(w, '?formato=excel')
  assert.is(response.status, 200)
  assert.match(
    text,
    /^\uFEFFid;name;[^\n]*\r\n"[0-9a-f-]{36}";"Toby";"Beagle";"beagle";3;"años";12,5;"mediano";"Toledo";"Toledo";39,8\d*;-4,0/,
  )
  assert.is((await fetchCsv(w, '?formato=otro')).response.status, 422)
})

open('the points are the gazetteer’s, not the map’s', async (w) => {
  const { body } = await call(w.server, '/datos/perros.geojson')
  const toby = body.features.find(({ id }: { id: string }) => id === w.ids.Toby)
  assert.equal(toby.geometry.coordinates, (await call(w.server, '/api/geocode?q=Toledo')).body.center)
  assert.is(toby.properties.province, 'Toledo')
  assert.not.ok('owner_id' in toby.properties || 'user_id' in toby.properties || 'description' in toby.properties)
  assert.equal([body.features.length, body.siguiente], [4, null])
})

open('breed and province filter it, in any spelling', async (w) => {
  const names = async (query: string) =>
    (await call(w.server, `/datos/perros.geojson?${query}`)).body.features.map(
      (f: { properties: { name: string } }) => f.properties.name,
    )
  assert.equal(await names('raza=dalmata'), ['Luna'])
  assert.equal(await names('provincia=toledo'), ['Toby'])
  assert.equal(await names('provincia=45'), ['Toby'])
  assert.equal(await names('provincia=Pontevedra&raza=Beagle'), ['=Cosa'])
  assert.equal(await names('provincia=Soria'), [])
  assert.equal(await names('provincia=&raza='), ['Toby', 'Luna', '', '=Cosa'])
})

open('invalid parameters are refused with a message', async (w) => {
  for (const [query, detail, field] of [
    ['raza=unicornio', 'No conocemos esa raza.', 'raza'],
    ['provincia=Narnia', 'No conocemos esa provincia.', 'provincia'],
    ['cursor=x', 'La página pedida no existe.', 'cursor'],
  ])
    for (const path of ['/datos/perros.csv', '/datos/perros.geojson']) {
      const { status, body } = await call(w.server, `${path}?${query}`)
      assert.equal([status, body.detail], [422, detail])
      assert.equal(body.errors, { [field!]: detail })
    }
})

open('an unchanged file is a 304, a changed one is not; HEAD has the same headers', async (w) => {
  const { response } = await fetchCsv(w)
  const etag = response.headers.get('etag')!
  const again = await fetch(`${w.server.url}/datos/perros.csv`, { headers: { 'If-None-Match': `W/${etag}` } })
  assert.is(again.status, 304)
  assert.is(await again.text(), '')
  const head = await fetch(`${w.server.url}/datos/perros.csv`, { method: 'HEAD' })
  assert.equal([head.status, head.headers.get('etag'), await head.text()], [200, etag, ''])
  const [luis] = await seed(w.server.db, member())
  await like(w.server.db, luis, w.ids.Luna!)
  await answered(200, fetch(`${w.server.url}/datos/perros.csv`, { headers: { 'If-None-Match': etag } }))
})

open('pages of other sites cannot read any other call', async (w) => {
  for (const path of ['/api/dogs', '/api/session', '/api/docs', `/api/dogs/${w.ids.Toby}/likes`])
    assert.is((await call(w.server, path)).headers.get('access-control-allow-origin'), null, path)
})

open('the page contains the whole document and links to the files', async (w) => {
  const { body, headers } = await answered(200, call(w.server, '/api/docs'))
  assert.match(headers.get('content-type')!, /^text\/html/)
  assert.match(body, /<h1>Datos abiertos y API<\/h1>/)
  for (const path of Object.keys(w.document.paths)) assert.ok(body.includes(`<code>${path}</code>`), path)
  for (const name of Object.keys(w.document.components.schemas)) assert.ok(body.includes(`id="r-${name}"`), name)
  for (const path of ['/datos/perros.csv', '/datos/perros.geojson', '/api/openapi.json'])
    assert.ok(body.includes(`href="${path}"`), path)
  assertNoMatch(body, /name="robots"/, /ld\+json/)
  for (const from of ['/login', '/terminos', '/privacidad'])
    assert.match((await call(w.server, from)).body, /href="\/api\/docs"/, from)
})

open('a file has two thousand dogs and a link to the next one', async (w) => {
  await seed(
    w.server.db,
    ...Array.from({ length: 2001 }, (_, i) => dog({ name: `Uno ${i}`, breed: 'Galgo español', owner_id: null })),
  )
  const { response, text } = await fetchCsv(w, '?raza=galgo-espanol')
  assert.is(text.split('\r\n').length, 2002)
  const link = /^<(\/datos\/perros\.csv\?raza=galgo-espanol&cursor=[\w-]+)>; rel="next"$/.exec(
    response.headers.get('link')!,
  )
  const { text: rest, response: last } = await fetchCsv(w, link![1]!.slice('/datos/perros.csv'.length))
  assert.is(rest.split('\r\n').length, 3)
  assert.is(last.headers.get('link'), null)
  const { body } = await call(w.server, '/datos/perros.geojson?raza=galgo-espanol')
  assert.is(body.features.length, 2000)
  assert.is((await call(w.server, `/datos/perros.geojson?cursor=${body.siguiente}`)).status, 200)
})

open('a hundred and twenty files a minute are served, and further ones are limited', async () => {
  await using server = await startServer()
  const statuses: number[] = []
  for (let i = 0; i < 121; i++) statuses.push((await call(server, '/datos/perros.csv')).status)
  assert.equal([statuses.slice(0, 120).every((status) => status === 200), statuses[120]], [true, 429])
  assert.ok(Number((await answered(429, call(server, '/datos/perros.geojson'))).headers.get('retry-after')) > 0)
})

open('with SITE_URL the files name the site', async () => {
  await using server = await startServer({ SITE_URL: 'https://perrario.example', ADMIN_EMAIL: 'jefa@ejemplo.es' })
  await seed(server.db, member(), dog({ name: 'Toby' }))
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
  assert.equal(pluck(dataset.distribution, 'contentUrl'), [
    'https://perrario.example/datos/perros.csv',
    'https://perrario.example/datos/perros.geojson',
  ])
  assert.ok(page.includes('<link rel="canonical" href="https://perrario.example/api/docs">'))
})
