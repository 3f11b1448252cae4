import { sessionCookieName } from '#features/auth/auth.ts'
import { hideDog } from '#features/dogs/hidden-dogs.server.ts'
import { call } from '#tests/support/api.ts'
import { insertLostCase } from '#tests/support/lost/open-case.ts'
import { dog, member, seed, signIn } from '#tests/support/seed.ts'
import type { TestServer } from '#tests/support/server.ts'
import {
  answered,
  assert,
  assertMatches,
  assertNoMatch,
  pluck,
  redirectOf,
  serverSuite,
} from '#tests/support/suites.ts'

const SITE_URL = 'https://perrario.example'
/** The exact point of every case here: no answer may hold it. */
const EXACT = { lat: 42.123456, lon: -0.654321 }
const EXACT_PATTERN = /42\.1234|-?0\.6543/

const lost = serverSuite<{ ids: Record<string, string> }>('api/lost/lost-list', { SITE_URL })
lost.before(async (t) => {
  const { db } = t.server

  const [, toby, luna, kira] = await seed(
    db,
    member({ alias: 'Ana' }),
    dog({ name: 'Toby', breed: 'Beagle', size: 'mediano', zone: 'Jaca' }),
    dog({ name: 'Luna', breed: 'Galgo español', zone: 'Madrid' }),
    dog({ name: 'Kira', breed: 'Beagle', zone: 'Jaca' }),
  )
  const now = Date.now()
  const cases = {
    toby: await insertLostCase(db, toby, { ...EXACT, opened_at: now - 3000, help: 'Tiene <miedo>' }),
    luna: await insertLostCase(db, luna, { ...EXACT, opened_at: now - 2000, province: '28', zone: 'Madrid' }),
    kira: await insertLostCase(db, kira, { ...EXACT, opened_at: now - 1000, updated_at: now - 1000 }),
  }
  t.ids = { ...cases, tobyDog: toby.id, lunaDog: luna.id, kiraDog: kira.id }
})

const page = async (server: TestServer, path: string, cookie?: string) =>
  (await call(server, path, cookie ? { cookie } : {})).body as string
/** A member's cookie, as an https site names it. */
const cookieOf = async (server: TestServer, email: string) => {
  const { cookie } = await signIn(server, email)
  return `${sessionCookieName(true)}${cookie.slice(cookie.indexOf('='))}`
}
const namesIn = (html: string) => [...html.matchAll(/<h3><a href="[^"]*">([^<]+)</g)].map(([, name]) => name)

lost(
  'the list shows the newest first, with photo, breed, zone and since when, and where to help',
  async ({ server }) => {
    const html = await page(server, '/perdidos')
    assert.equal(namesIn(html), ['Kira', 'Luna', 'Toby'])
    for (const text of ['Se busca', 'Desde hoy', 'Galgo español', 'Madrid', 'He encontrado un perro', 'Avísame'])
      assert.ok(html.includes(text), text)
    for (const href of ['/encontrados', '/perdidos/primeras-24-horas', '/perfil/avisos'])
      assert.ok(html.includes(`href="${href}"`), href)
    assert.match(html, '<title>Perros perdidos | Perrario</title>')
    assertMatches(html, `<link rel="canonical" href="${SITE_URL}/perdidos">`, 'href="/perdidos.atom"')
    assert.match(html, `${SITE_URL}/tarjetas/sitio/perdidos.jpg`)
    assertNoMatch(html, '"noindex"', EXACT_PATTERN)
  },
)

lost('filters leave what they say, and such an address is not indexed', async ({ server }) => {
  const huesca = await page(server, '/perdidos?provincia=22')
  assert.equal(namesIn(huesca), ['Kira', 'Toby'])
  assertMatches(huesca, '<title>Perros perdidos en Huesca | Perrario</title>', 'href="/perdidos.atom?provincia=22"')
  assert.match(huesca, 'content="noindex"')
  assert.equal(namesIn(await page(server, '/perdidos?breed=beagle&size=mediano')), ['Toby'])
  assertMatches(await page(server, '/perdidos?provincia=08'), 'Ninguno con estos filtros', 'Quitar filtros')
})

lost('an address with a bad cursor leads to the list from its start', async ({ server }) => {
  assert.equal(redirectOf(await call(server, '/perdidos?provincia=22&cursor=zzz')), [302, '/perdidos?provincia=22'])
})

lost('a list for members is the same, and the strips stand above the lists of all', async ({ server }) => {
  const cookie = await cookieOf(server, 'bea@ejemplo.es')
  assert.equal(namesIn(await page(server, '/perdidos', cookie)), ['Kira', 'Luna', 'Toby'])
  for (const path of ['/', '/perros', '/perros?sort=votes-desc'])
    for (const as of [undefined, cookie]) {
      const html = await page(server, path, as)
      assert.match(html, /class="lost-strip-title" href="\/perdidos"[^>]*>\s*3 perros perdidos/, path)
      assert.not.match(html, EXACT_PATTERN)
    }
})

lost('a member sees the strip of their own province above what they follow and their album', async ({ server }) => {
  const cookie = await cookieOf(server, 'carla@ejemplo.es')
  for (const path of ['/?tab=following', '/?tab=mine']) assert.not.match(await page(server, path, cookie), 'lost-strip')
  const json = { zone: 'Jaca' }
  const put = await call(server, '/api/profile/home-zone', { method: 'PUT', cookie, json })
  assert.is(put.status, 200, JSON.stringify(put.body))
  for (const path of ['/?tab=following', '/?tab=mine']) {
    const html = await page(server, path, cookie)
    assert.match(html, /href="\/perdidos\?provincia=22"[^>]*>\s*2 perros perdidos en Huesca/, path)
    assert.not.match(html, EXACT_PATTERN)
  }
})

lost('the feed names each case once, without its exact point', async ({ server }) => {
  const { status, headers, body } = await call(server, '/perdidos.atom')
  const text = String(body)
  assert.equal([status, headers.get('content-type')], [200, 'application/atom+xml; charset=utf-8'])
  assert.equal(
    [...text.matchAll(/<title>(Se busca[^<]*)</g)].map(([, title]) => title),
    ['Se busca: Kira, Beagle, en Jaca', 'Se busca: Luna, Galgo español, en Madrid', 'Se busca: Toby, Beagle, en Jaca'],
  )
  assert.match(text, 'Tiene &lt;miedo&gt;')
  assert.not.match(text, EXACT_PATTERN)
  const huesca = String((await call(server, '/perdidos.atom?provincia=huesca')).body)
  assert.is(huesca.split('<entry>').length - 1, 2)
  assert.match(huesca, `<link rel="self" type="application/atom+xml" href="${SITE_URL}/perdidos.atom?provincia=22"/>`)
  assert.is((await call(server, '/perdidos.atom?provincia=nadaquever')).status, 404)
})

lost('the list is in the sitemap', async ({ server }) => {
  assert.match(String((await call(server, '/sitemap/paginas.xml')).body), `<loc>${SITE_URL}/perdidos</loc>`)
})

lost('the map answers with the circles of an area', async ({ server, ids }) => {
  const { body } = await answered(200, call(server, '/api/map/lost?bbox=-1,42,0,43'))
  const { features } = body as { features: { id: string; geometry: unknown; properties: Record<string, unknown> }[] }
  assert.equal(pluck(features, 'id'), [ids.kiraDog, ids.lunaDog, ids.tobyDog])
  assert.equal(features[0]!.geometry, { type: 'Point', coordinates: [-0.5529, 42.5697] })
  assert.equal(Object.keys(features[0]!.properties), ['name', 'breed', 'zone', 'since', 'photo_url', 'path'])
  assert.not.match(JSON.stringify(body), EXACT_PATTERN)
  // The exact point is here, and the circle's centre is not.
  assert.equal((await call(server, '/api/map/lost?bbox=-0.66,42.12,-0.65,42.13')).body.features, [])
  assert.is((await call(server, '/api/map/lost?bbox=1')).status, 422)
  assert.is((await call(server, '/api/map/lost')).status, 422)
})

lost('a case that opens or ends changes the kept pages at once', async ({ server, ids }) => {
  await page(server, '/perdidos')
  await page(server, '/')
  await server.db.deleteFrom('lost_cases').where('id', '=', ids.kira!).execute()
  assert.equal(namesIn(await page(server, '/perdidos')), ['Luna', 'Toby'])
  assert.match(await page(server, '/'), '2 perros perdidos')
})

lost('a dog in quarantine is in no list', async ({ server, ids }) => {
  await server.db.transaction().execute((trx) => hideDog(trx, ids.lunaDog!, 'admin'))
  assert.equal(namesIn(await page(server, '/perdidos')), ['Toby'])
  assert.not.match(String((await call(server, '/perdidos.atom')).body), 'Luna')
  assert.is((await call(server, '/api/map/lost?bbox=-10,35,5,45')).body.features.length, 1)
})

lost('without any case the list is glad, and no strip stands anywhere', async ({ server }) => {
  await server.db.deleteFrom('lost_cases').execute()
  assert.match(await page(server, '/perdidos'), 'Todos están en casa')
  for (const path of ['/', '/perros']) assert.not.match(await page(server, path), 'lost-strip')
})
