import { requestRaw } from '#tests/support/raw-request.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { answered, assert, assertMatches, call, dog, member, seed, serverSuite, signIn } from '#tests/support/suites.ts'

const api = serverSuite<{ ana: string }>('api/pages/search')

api.before(async (t) => {
  const [ana] = await seed(
    t.server.db,
    member({ alias: 'Tobías' }),
    dog({ name: 'Toby', breed: 'Beagle', zone: 'Jaca, Huesca' }),
  )
  await seed(
    t.server.db,
    ...Array.from({ length: 60 }, (_, i) => dog({ name: `Lola ${i}`, created_at: i, owner_id: null })),
  )
  t.ana = ana.id
})

const page = (server: TestServer, query: Record<string, string>, cookie?: string) =>
  call(server, `/buscar?${new URLSearchParams(query)}`, { cookie })
const main = (html: string) => html.slice(html.indexOf('<main'), html.indexOf('</main>'))
const hits = (html: string) => [...main(html).matchAll(/class="hit" href="([^"]+)"/g)].map((match) => match[1]!)

api('the page has four groups, each hit linking to its own page', async ({ server, ana }) => {
  const { body, headers } = await answered(200, page(server, { q: 'TÓB' }))
  assertMatches(body, /<h2 id="found-perros">\s*Perros/, /<h2 id="found-perfiles">\s*Perfiles/)
  assert.ok(hits(body).includes('/beagle/toby') && hits(body).includes(`/usuario/${ana}`))
  assertMatches(body, /<title>Buscar «TÓB» \| Perrario<\/title>/, /<meta name="robots" content="noindex"/)
  assert.equal([headers.get('cache-control'), headers.get('age')], ['no-cache', null])
  assert.ok(hits((await page(server, { q: 'beagle' })).body).includes('/razas/beagle'))
  assert.ok(
    hits((await page(server, { q: 'jaca' })).body).some((href) => href.startsWith('/perros?view=map&amp;lat=42.5')),
  )
})

api('an empty, an unmatched and a too long query show a message each', async ({ server }) => {
  const empty = await answered(200, call(server, '/buscar'))
  assert.match(
    main(empty.body),
    /Escribe una raza, el nombre de un perro, un perfil o una zona\. Las tildes no importan\./,
  )
  const none = await answered(200, page(server, { q: 'zzzqqq' }))
  assert.match(main(none.body), /No hemos encontrado nada para «zzzqqq»/)
  assert.match(main((await page(server, { q: 'begle' })).body), /¿Buscabas esta raza\?[\s\S]*href="\/razas\/beagle"/)
  const two = main((await page(server, { q: 'beagle o teckel' })).body)
  assert.match(two, /¿Buscabas una de estas razas\?/)
  for (const slug of ['beagle', 'teckel']) assert.ok(two.includes(`href="/razas/${slug}"`), slug)
  assert.match(main((await page(server, { q: '🐶' })).body), /No hemos encontrado nada para «🐶»/)
  const long = await answered(422, page(server, { q: 'a'.repeat(101) }))
  assert.match(main(long.body), /La búsqueda no puede tener más de 100 caracteres\./)
  assert.is((await page(server, { q: 'a'.repeat(100) })).status, 200)
})

api('«Ver más» pages through a kind to its end', async ({ server }) => {
  const first = await page(server, { q: 'lola' })
  assert.is(hits(first.body).filter((href) => href.startsWith('/beagle/lola')).length, 6)
  const seen: string[] = []
  let next: string | undefined = '/buscar?q=lola&tipo=perros'
  assert.ok(main(first.body).includes(`href="${next.replaceAll('&', '&amp;')}"`))
  for (let pages = 0; next; pages++) {
    assert.ok(pages < 3)
    const { body }: { body: string } = await answered(200, call(server, next))
    seen.push(...hits(body))
    next = /href="(\/buscar\?q=lola&amp;tipo=perros&amp;cursor=[^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&')
  }
  assert.is(seen.length, 60)
  assert.is(new Set(seen).size, 60)
})

api('an invalid cursor starts from the beginning', async ({ server }) => {
  for (const cursor of ['x', '%', 'bm8', '"'.repeat(300)]) {
    const { status, headers } = await page(server, { q: 'lola', tipo: 'perros', cursor })
    assert.equal([status, headers.get('location')], [302, '/buscar?q=lola&tipo=perros'])
  }
  assert.is((await page(server, { q: 'lola', tipo: 'gatos', cursor: 'x' })).status, 200)
})

api('every text is accepted and escaped', async ({ server }) => {
  for (const q of [
    '"',
    "'",
    '*',
    'toby*',
    'NEAR(a b)',
    '%',
    '\\',
    '(',
    '"; DROP TABLE dogs',
    '\u0000',
    '<script>x</script>',
  ]) {
    const { status, body } = await page(server, { q })
    assert.is(status, 200, q)
    // Within a quoted attribute it is text.
    assert.not.match(body.replace(/="[^"]*"/g, ''), /<script>x/)
    assert.is((await call(server, `/fragments/buscar?${new URLSearchParams({ q })}`)).status, 200, q)
  }
  // Bytes that are no UTF-8, and an address that ends within a letter.
  for (const q of ['%ff%fe', '%E0%A4', '%']) assert.is((await requestRaw(server, `/buscar?q=${q}`)).status, 200, q)
})

api('suggestions are an HTML fragment, empty for one letter or a too long text', async ({ server }) => {
  const { body, headers } = await answered(200, call(server, '/fragments/buscar?q=tob'))
  assert.match(headers.get('content-type') ?? '', /^text\/html/)
  assert.not.match(body, /<html|<link/)
  assert.match(body, /role="option"[^>]*href="\/beagle\/toby"/)
  for (const q of ['', 't', 'a'.repeat(101), 'zzzqqq'])
    assert.is(((await call(server, `/fragments/buscar?q=${q}`)).body ?? '').trim(), '', q)
})

api('a deleted dog is no longer found, at once', async ({ server }) => {
  const ana = await signIn(server, 'ana@ejemplo.es')
  await seed(server.db, dog({ name: 'Fugaz', owner_id: ana.id }))
  const [href] = hits((await page(server, { q: 'fugaz' })).body)
  assert.is(href, '/beagle/fugaz')
  const id = (await server.db.selectFrom('dogs').select('id').where('name', '=', 'Fugaz').executeTakeFirstOrThrow()).id
  assert.is((await call(server, `/api/dogs/${id}`, { method: 'DELETE', cookie: ana.cookie })).status, 204)
  assert.not.ok(hits((await page(server, { q: 'fugaz' })).body).includes('/beagle/fugaz'))
})

api('OpenSearch: 404 with its reason without SITE_URL', async ({ server }) => {
  const { body, headers } = await answered(404, call(server, '/opensearch.xml'))
  assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/)
  assert.is(body.detail, 'Este sitio no dice su dirección (SITE_URL), así que no ofrece OpenSearch.')
  assert.not.match((await call(server, '/')).body, /rel="search"/)
})

api('OpenSearch: with SITE_URL a description that pages name', async () => {
  await using server = await startServer({ SITE_URL: 'https://perrario.example', RENDERS_PER_MINUTE: '3' })
  const { status, body, headers } = await call(server, '/opensearch.xml')
  assert.equal([status, headers.get('content-type')], [200, 'application/opensearchdescription+xml; charset=utf-8'])
  assert.match(body, /template="https:\/\/perrario\.example\/buscar\?q=\{searchTerms\}"/)
  assert.match(
    (await call(server, '/')).body,
    /<link rel="search" type="application\/opensearchdescription\+xml" title="Perrario" href="\/opensearch\.xml"/,
  )
  // As many as other pages.
  const statuses: number[] = []
  for (const q of ['a', 'b', 'c', 'd']) statuses.push((await page(server, { q })).status)
  assert.equal([statuses[0], statuses.at(-1)], [200, 429])
})
