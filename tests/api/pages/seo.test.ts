import { randomUUID } from 'node:crypto'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { call, type Json } from '#tests/support/api.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { answered, assert, type CurrentUser, type Dog, redirectOf, suite } from '#tests/support/suites.ts'

// What search engines and feed readers get, over HTTP.
interface Context {
  server: TestServer
  /** Runs without SITE_URL. */
  nameless: TestServer
  ana: CurrentUser
  toby: Dog
}
const seo = suite<Context>('api/pages/seo')

const SITE = 'https://perrario.example'
const MARCH = Date.UTC(2026, 2, 1, 9, 30)

seo.before(async (t) => {
  ;[t.server, t.nameless] = await Promise.all([startServer({ SITE_URL: SITE }), startServer()])
  const name = 'Toby </script><b>'
  ;[t.ana, t.toby] = await seed(t.server.db, member({ alias: 'Ana </script>' }), dog({ name, created_at: MARCH }))
  for (let i = 0; i < 12; i++) await seed(t.server.db, dog({ name: `Lola ${i}`, created_at: MARCH - i }))
})
seo.after(async ({ server, nameless }) => {
  await server.dispose()
  await nameless.dispose()
})

const metas = (html: string) => ({
  title: /<title>([^<]*)<\/title>/.exec(html)?.[1],
  robots: /<meta name="robots" content="([^"]*)"/.exec(html)?.[1],
  canonical: /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1],
  feed: /<link rel="alternate" type="application\/atom\+xml"[^>]* href="([^"]*)"/.exec(html)?.[1],
})
const schemasOf = (html: string): Json[] =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json]) => JSON.parse(json!))

seo('robots.txt is plain text, and names the sitemap if SITE_URL is set', async (t) => {
  const told = await call(t.server, '/robots.txt')
  assert.equal([told.status, told.headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
  assert.match(told.body, /^User-agent: \*\nDisallow: \/admin\n/)
  assert.match(told.body, /\n\nSitemap: https:\/\/perrario\.example\/sitemap\.xml\n$/)
  assert.not.match((await answered(200, call(t.nameless, '/robots.txt'))).body, /Sitemap|http/)
})

seo('without SITE_URL sitemap and feed are a 404 with the reason', async ({ nameless }) => {
  const why: Record<string, string> = {
    '/sitemap.xml': 'No hay mapa del sitio: quien lleva este sitio no ha puesto su dirección (SITE_URL).',
    '/sitemap/perros.xml': 'No hay mapa del sitio: quien lleva este sitio no ha puesto su dirección (SITE_URL).',
    '/novedades.atom': 'No hay canal de novedades: quien lleva este sitio no ha puesto su dirección (SITE_URL).',
    '/razas/beagle/novedades.atom':
      'No hay canal de novedades: quien lleva este sitio no ha puesto su dirección (SITE_URL).',
  }
  for (const [path, detail] of Object.entries(why)) {
    const { status, body, headers } = await call(nameless, path)
    assert.equal([status, body.detail], [404, detail], path)
    assert.is(headers.get('content-type'), 'application/problem+json; charset=utf-8')
  }
  for (const path of ['/', '/razas', '/razas/beagle', '/comunidad']) {
    const html = String((await call(nameless, path)).body)
    assert.is(metas(html).feed, undefined, path)
    assert.match(html, '<meta name="twitter:card" content="summary"')
    assert.equal(schemasOf(html), [])
    assert.not.match(html, /https?:\/\/(127|localhost|perrario)/)
  }
})

seo('every file of the sitemap exists, and every address in it answers', async ({ server, ana, toby }) => {
  const index = await call(server, '/sitemap.xml')
  assert.equal([index.status, index.headers.get('content-type')], [200, 'application/xml; charset=utf-8'])
  const locs = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc]) => loc!)
  assert.equal(locs(index.body), [
    `${SITE}/sitemap/paginas.xml`,
    `${SITE}/sitemap/razas.xml`,
    `${SITE}/sitemap/perros.xml`,
    `${SITE}/sitemap/miembros.xml`,
  ])
  const files: Record<string, string[]> = {}
  for (const loc of locs(index.body)) {
    const { status, body } = await call(server, loc.slice(SITE.length))
    assert.is(status, 200, loc)
    files[loc.split('/').at(-1)!] = locs(body)
  }
  assert.equal(files['miembros.xml'], [`${SITE}/usuario/${ana.id}`])
  assert.is(files['perros.xml']!.length, 13)
  assert.ok(files['perros.xml']!.includes(SITE + toby.path))
  assert.ok(files['razas.xml']!.length > 300)
  const some = [...files['paginas.xml']!, ...files['perros.xml']!, ...files['miembros.xml']!]
  for (const loc of [...some, ...files['razas.xml']!.slice(0, 5)]) {
    const { status, body, headers } = await call(server, loc.slice(SITE.length))
    const { robots, canonical } = metas(String(body))
    assert.equal([status, robots], [200, undefined], loc)
    // Prerendered pages carry no absolute address: their headers do.
    if (/terminos|privacidad/.test(loc)) assert.is(headers.get('link'), `<${loc}>; rel="canonical"`)
    assert.is(canonical, /terminos|privacidad/.test(loc) ? undefined : loc, loc)
  }
  for (const name of ['perros-a', 'perros-a3', 'gatos', 'razas-a', 'PERROS'])
    assert.is((await call(server, `/sitemap/${name}.xml`)).status, 404, name)
})

seo('an unchanged document is a 304', async ({ server }) => {
  for (const path of ['/robots.txt', '/sitemap.xml', '/sitemap/perros.xml', '/novedades.atom']) {
    const etag = (await call(server, path)).headers.get('etag')!
    assert.match(etag, /^W\/"[\w-]{22}"$/, path)
    const again = await call(server, path, { headers: { 'If-None-Match': etag } })
    assert.equal([again.status, again.body, again.headers.get('etag')], [304, undefined, etag], path)
    assert.is((await call(server, path, { headers: { 'If-None-Match': '"otra"' } })).status, 200)
  }
})

seo('a feed has Last-Modified too', async ({ server }) => {
  const { headers, body } = await call(server, '/novedades.atom')
  assert.is(headers.get('content-type'), 'application/atom+xml; charset=utf-8')
  assert.is(headers.get('last-modified'), 'Sun, 01 Mar 2026 09:30:00 GMT')
  const since = (date: string) => call(server, '/novedades.atom', { headers: { 'If-Modified-Since': date } })
  assert.is((await since('Sun, 01 Mar 2026 09:30:00 GMT')).status, 304)
  assert.is((await since('Sun, 01 Mar 2026 09:29:59 GMT')).status, 200)
  assert.is((await since('mañana')).status, 200)
  assert.is([...body.matchAll(/<entry>/g)].length, 13)
  // The sanitiser leaves no sign of a tag in a name; an alias may hold one.
  assert.ok(body.includes('<name>Ana &lt;/script&gt;</name>'))
  const own = await call(server, '/razas/beagle/novedades.atom')
  assert.is([...own.body.matchAll(/<entry>/g)].length, 13)
  assert.ok(
    own.body.includes(`<link rel="self" type="application/atom+xml" href="${SITE}/razas/beagle/novedades.atom"/>`),
  )
  assert.is((await call(server, '/razas/gato/novedades.atom')).status, 404)
  assert.equal(redirectOf(await call(server, '/razas/Beagle/novedades.atom')), [301, '/razas/beagle/novedades.atom'])
})

seo('pages have a canonical address, and parts of them are noindex', async ({ server, ana, toby }) => {
  const cursor = (await call(server, '/api/dogs?limit=2')).body.nextCursor as string
  const cases: [path: string, canonical: string, robots?: string][] = [
    ['/', '/'],
    ['/perros', '/'],
    ['/?sort=votes-desc', '/'],
    ['/perros?breed=beagle', '/', 'noindex'],
    [`/perros?cursor=${cursor}`, '/', 'noindex'],
    ['/perros?view=map', '/perros?view=map'],
    ['/?view=map', '/perros?view=map'],
    ['/razas', '/razas'],
    ['/razas?orden=estado&vista=lista', '/razas'],
    ['/razas?buscar=galgo', '/razas', 'noindex'],
    ['/razas?pagina=2', '/razas', 'noindex'],
    ['/razas/beagle', '/razas/beagle'],
    [`/razas/beagle?desde=${cursor}`, '/razas/beagle', 'noindex'],
    ['/comunidad', '/comunidad'],
    [`/usuario/${ana.id}`, `/usuario/${ana.id}`],
    [`/usuario/${ana.id}?tab=razas`, `/usuario/${ana.id}`],
    [toby.path, toby.path],
    [`/perro/${toby.id}`, toby.path, 'noindex'],
  ]
  for (const [path, canonical, robots] of cases) {
    const { status, body } = await call(server, path)
    const found = metas(String(body))
    assert.equal([status, found.canonical, found.robots], [200, SITE + canonical, robots], path)
  }
})

seo('personal pages are noindex', async ({ server }) => {
  for (const path of ['/login', '/login/codigo', '/login/enlace?token=x', '/baja?token=x', '/denunciar', '/?tab=mine'])
    assert.is(metas(String((await call(server, path)).body)).robots, 'noindex', path)
  assert.is(metas(String((await call(server, '/perfil')).body)).robots, 'noindex')
  assert.is(metas(String((await call(server, '/sin-conexion')).body)).robots, 'noindex')
})

seo('pages contain structured data, whatever names are in it', async ({ server, ana, toby }) => {
  const at = async (path: string) => {
    const [data, ...more] = schemasOf(String((await call(server, path)).body))
    assert.equal(more, [], path)
    assert.is(data['@context'], 'https://schema.org')
    return (data['@graph'] ?? [data]) as Json[]
  }
  const pages = {
    '/': ['WebSite'],
    '/razas': ['BreadcrumbList'],
    '/razas/beagle': ['BreadcrumbList', 'Article'],
    '/razas/grupo/6': ['BreadcrumbList'],
  }
  for (const [path, types] of Object.entries(pages))
    assert.equal(
      (await at(path)).map((thing) => thing['@type']),
      types,
    )
  const [way, image] = await at(toby.path)
  assert.equal([way['@type'], image['@type']], ['BreadcrumbList', 'ImageObject'])
  // What search engines require of each.
  for (const [i, step] of way.itemListElement.entries()) {
    assert.is(step.position, i + 1)
    assert.ok(step.name.length > 0)
    assert.is((await call(server, step.item.slice(SITE.length))).status, 200, step.item)
  }
  assert.is(way.itemListElement.at(-1).item, SITE + toby.path)
  assert.is(image.contentUrl, SITE + toby.photo_url)
  assert.equal([image.creditText, image.author.name], ['Ana </script>', 'Ana </script>'])
  const [, profile] = await at(`/usuario/${ana.id}`)
  assert.equal(
    [profile['@type'], profile.mainEntity['@type'], profile.mainEntity.name],
    ['ProfilePage', 'Person', 'Ana </script>'],
  )
})

seo('pages link to their feeds', async ({ server, ana, toby }) => {
  const feeds: Record<string, string | undefined> = {
    '/': '/novedades.atom',
    '/razas': '/novedades.atom',
    '/razas/beagle': '/razas/beagle/novedades.atom',
    '/comunidad': undefined,
    [toby.path]: undefined,
    [`/usuario/${ana.id}`]: undefined,
  }
  for (const [path, feed] of Object.entries(feeds)) {
    assert.is(metas(String((await call(server, path)).body)).feed, feed, path)
    if (feed) assert.is((await call(server, feed)).status, 200)
  }
})

seo('a renamed dog redirects permanently, a deleted one is 410, an unknown one 404', async ({ server, ana }) => {
  const made = await seed(server.db, dog({ name: 'Luna', owner_id: ana.id }))
  await updateDog(server.db, ana, made[0].id, { name: 'Estrella' })
  const [luna] = made
  assert.equal(redirectOf(await call(server, luna.path)), [301, '/beagle/estrella'])
  const there = await call(server, '/beagle/estrella')
  assert.equal([there.status, metas(there.body).canonical], [200, `${SITE}/beagle/estrella`])
  await server.db.deleteFrom('dogs_all').where('id', '=', luna.id).execute()
  for (const [path, status] of [
    ['/beagle/estrella', 410],
    ['/beagle/luna', 410],
    ['/beagle/nadie-se-llama-asi', 404],
    ['/no/hay/nada', 404],
    ['/razas/gato', 404],
    [`/perro/${luna.id}`, 404],
    [`/usuario/${randomUUID()}`, 404],
    ['/usuario/nadie', 404],
  ] as const) {
    const found = await call(server, path)
    assert.equal([found.status, metas(String(found.body)).robots], [status, 'noindex'], path)
    assert.is(metas(String(found.body)).canonical, undefined, path)
    assert.match(found.headers.get('content-type')!, /^text\/html/, path)
  }
})

seo('a deleted member’s page no longer exists', async ({ server }) => {
  const [gone] = await seed(server.db, member({ alias: 'Se va' }))
  const path = `/usuario/${gone.id}`
  assert.is((await call(server, path)).status, 200)
  await server.db.deleteFrom('users').where('id', '=', gone.id).execute()
  const { status, body } = await call(server, path)
  assert.equal([status, metas(String(body)).robots], [404, 'noindex'])
  assert.not.match(String(body), /Se va|ld\+json/)
})

seo('sitemap files have their own limit, because each is generated', async ({ server }) => {
  const statusOf = async (path: string) => (await call(server, path)).status
  let status = 200
  let asked = 0
  for (; asked < 150 && status === 200; asked++)
    status = await statusOf(asked % 2 ? '/sitemap/perros.xml' : '/sitemap.xml')
  assert.is(status, 429)
  assert.ok(asked > 60, `${asked} files`)
  for (const path of ['/sitemap.xml', '/sitemap/perros.xml', '/sitemap/paginas.xml', '/sitemap/nada.xml'])
    assert.is(await statusOf(path), 429, path)
  assert.is(await statusOf('/novedades.atom'), 200)
  assert.is(await statusOf('/razas'), 200)
})
