import { isIosSafari } from '#features/pwa/install.ts'
import { newestByTitle, parseTitle } from '#features/pwa/cached-pages.ts'
import { suggestFromNames } from '#features/places/places.ts'
import { changesSession, isCacheable, routeOf } from '#features/pwa/worker/routes.ts'
import { putBounded } from '#features/pwa/worker/cache-strategies.client.ts'
import { assert, pluck, suite } from '#tests/support/suites.ts'

const ORIGIN = 'https://perrario.example'
const route = (path: string, method = 'GET', mode = 'cors') =>
  routeOf({ url: URL.canParse(path) ? path : ORIGIN + path, method, mode }, ORIGIN)

const pwa = suite('unit/pwa/service-worker-rules')

pwa('calls, the live stream and the admin are never intercepted', () => {
  for (const path of [
    '/api/events',
    '/api/dogs',
    '/api/session',
    '/api/map?zoom=3',
    '/fragments/comunidad',
    '/sw.js',
    '/healthz',
  ])
    assert.is(route(path), 'untouched', path)
  for (const path of ['/robots.txt', '/sitemap.xml', '/novedades.atom', '/razas/beagle/novedades.atom'])
    assert.is(route(path, 'GET', 'navigate'), 'untouched', path)
  for (const path of ['/admin', '/admin?tab=perros', '/api/auth/google/callback?code=1', '/api/account/export'])
    assert.is(route(path, 'GET', 'navigate'), 'untouched', path)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])
    for (const path of ['/api/dogs', '/api/breeds', '/perros', '/_astro/a.js'])
      assert.is(route(path, method), 'untouched')
  assert.is(route('https://elsewhere.example/perros', 'GET', 'navigate'), 'untouched')
})

pwa('each kind of request has its caching strategy', () => {
  for (const path of ['/', '/perros?breed=beagle', '/beagle/toby', '/administrar/perro', '/login'])
    assert.is(route(path, 'GET', 'navigate'), 'page', path)
  assert.is(route('/perros'), 'untouched', 'a page that a script asks for')
  assert.is(route('/_ipx/s_300x300,q_95/photos/a.jpg'), 'photo')
  assert.is(route('/photos/a.jpg'), 'photo')
  assert.is(route('/_astro/Shell.abc.css'), 'piece')
  for (const path of ['/retratos/beagle.svg', '/mapa/provincias.json', '/icon-192.png', '/manifest.webmanifest'])
    assert.is(route(path), 'drawing', path)
  assert.is(route('/api/breeds'), 'data')
  assert.is(route('/api/places?q=jaca'), 'data')
  assert.is(route('/compartir', 'POST', 'navigate'), 'share')
})

pwa('signing in and out is recognised by its address', () => {
  for (const path of ['code', 'link', 'sign-out', 'google/callback', 'apple/callback'])
    assert.ok(changesSession(`${ORIGIN}/api/auth/${path}?a=b`), path)
  for (const path of ['/api/auth/magic-link', '/api/auth/google', '/api/session', '/perfil'])
    assert.not.ok(changesSession(ORIGIN + path), path)
})

pwa('a response that forbids it is not cached', () => {
  assert.ok(isCacheable(new Headers()))
  assert.ok(isCacheable(new Headers({ 'Cache-Control': 'public, max-age=60' })))
  for (const value of ['no-store', 'private, max-age=60', 'max-age=0, no-store'])
    assert.not.ok(isCacheable(new Headers({ 'Cache-Control': value })), value)
})

/** Caches as browsers have them: each opening gives another object for the same entries. */
function fakeCaches() {
  const entries = new Map<string, Response>()
  const open = async () => ({
    put: async (url: string, response: Response) => void entries.set(url, response),
    match: async (url: string) => entries.get(url),
    keys: async () => [...entries.keys()],
    delete: async (url: string) => entries.delete(url),
  })
  return { caches: { open }, urls: () => [...entries.keys()] }
}

pwa('a cache has a limit of bytes, and evicts the oldest first', async () => {
  const fake = fakeCaches()
  Object.assign(globalThis, { caches: fake.caches })
  const photo = () => new Response('', { headers: { 'Content-Length': '100' } })
  for (let n = 1; n <= 41; n++) await putBounded('fotos', `/${n}`, photo(), { entries: 300, bytes: 1000 })
  assert.equal(fake.urls(), ['/32', '/33', '/34', '/35', '/36', '/37', '/38', '/39', '/40', '/41'])
  for (let n = 42; n <= 45; n++) await putBounded('fotos', `/${n}`, photo(), { entries: 5, bytes: Infinity })
  assert.equal(fake.urls(), ['/41', '/42', '/43', '/44', '/45'])
  Reflect.deleteProperty(globalThis, 'caches')
})

pwa('a cached page is listed by its title', () => {
  assert.is(parseTitle('<head><title>Toby, Beagle | Perrario</title>', '/beagle/toby'), 'Toby, Beagle')
  assert.is(parseTitle('<title>Tom &amp; &quot;Jerry&quot; &lt;3 | Perrario</title>', '/x'), 'Tom & "Jerry" <3')
  assert.is(parseTitle('<p>nada</p>', '/razas'), '/razas')
})

pwa('the newest page comes first, and one of those with the same title', () => {
  const pages = [
    { path: '/perros', title: 'Perros', at: 1 },
    { path: '/razas', title: 'Razas', at: 2 },
    { path: '/perros?sort=votes-desc', title: 'Perros', at: 3 },
  ]
  assert.equal(pluck(newestByTitle(pages), 'path'), ['/perros?sort=votes-desc', '/razas'])
})

pwa('zones are suggested from a list on the device, ignoring accents, case and articles', () => {
  const names = ['Madrid, Madrid', 'Málaga, Málaga', 'A Coruña, A Coruña', 'Malasaña, Madrid', 'Mallén, Zaragoza']
  assert.equal(suggestFromNames(names, 'mal'), ['Málaga, Málaga', 'Malasaña, Madrid', 'Mallén, Zaragoza'])
  assert.equal(suggestFromNames(names, 'coruna'), ['A Coruña, A Coruña'])
  assert.equal(suggestFromNames(names, 'm'), [])
  assert.equal(suggestFromNames(names, 'Malasaña, M'), ['Malasaña, Madrid'])
  assert.is(suggestFromNames(names, 'ma', 2).length, 2)
})

pwa('Safari on iPhone and iPad is detected', () => {
  const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'
  const safari = 'Version/18.0 Mobile/15E148 Safari/604.1'
  assert.ok(isIosSafari(`${iphone} ${safari}`, 5))
  assert.ok(isIosSafari(`${mac} Version/18.0 Safari/605.1.15`, 5), 'an iPad calls itself a Mac')
  assert.not.ok(isIosSafari(`${mac} Version/18.0 Safari/605.1.15`, 0), 'a Mac')
  assert.not.ok(isIosSafari(`${iphone} CriOS/130.0 Mobile/15E148 Safari/604.1`, 5), 'Chrome on iPhone')
  assert.not.ok(isIosSafari(`${iphone} Mobile/15E148`, 5), 'a page inside another app')
})
