import { withoutSpareSlashes } from '#app/pipeline.ts'
import { requestRaw } from '#tests/support/raw-request.ts'
import { readBuiltFiles, isMatchedBy, readBuiltRoutes } from '#tests/support/matrix/built-routes.ts'
import { WRITES } from '#tests/support/matrix/writes.ts'
import { PAGES } from '#tests/support/matrix/page-reads.ts'
import { READS } from '#tests/support/matrix/reads.ts'
import { routeOf } from '#tests/support/matrix/rows.ts'
import { assert, assertNone, serverSuite } from '#tests/support/suites.ts'

// Nothing but our own routes answers: what the build lists has a row in the matrix, what frameworks are known for is a 404.

const unknownRoutes = serverSuite('api/access/unknown-routes')

const ADDRESSES = new Set(Object.keys({ ...WRITES, ...READS, ...PAGES }).map((name) => routeOf(name).split(' ')[1]!))

unknownRoutes('every route of the built manifest has a row', () => {
  const routes = readBuiltRoutes()
  assert.ok(routes.length > 80, `${routes.length} routes`)
  assertNone(
    routes,
    ({ route }) => !ADDRESSES.has(route),
    'routes that Astro or an integration added: give them a row in tests/support/matrix, or remove them (own-routes.ts)',
  )
})

unknownRoutes('every file of the build that is not in public/ has a row', () => {
  const files = readBuiltFiles()
  assert.ok(files.length > 100, `${files.length} files`)
  assertNone(files, (path) => ![...ADDRESSES].some((route) => isMatchedBy(route, path)))
})

const PICTURE = encodeURIComponent('/apple-touch-icon.png')
/** What Astro, its adapter, Vite, other frameworks and well-known paths would answer. */
const PROBED_PATHS = [
  ...['', `?href=${PICTURE}`, `?href=${PICTURE}&w=4000&h=4000&f=avif&q=100`, `?href=%2Fplaceholder.svg&f=svg`].flatMap(
    (query) => ['/_image', '/_image/', '/_image/x', '/%5fimage', '//_image'].map((path) => path + query),
  ),
  `/_image?href=${encodeURIComponent('https://example.org/dog.jpg')}&w=1`,
  `/_image?href=${encodeURIComponent('/_astro/../../server/entry.mjs')}`,
  '/_server-islands/x',
  '/_server-islands/Shell?e=x&p=x&s=x',
  '/_actions/x',
  '/_actions/x?_action=x',
  '/?_action=x&_astroAction=x',
  '/_vercel/image?url=x',
  '/_ipx',
  '/_ipx/_/apple-touch-icon.png',
  '/_next/image?url=x&w=1&q=1',
  '/@fs/etc/passwd',
  '/@id/astro',
  '/@vite/client',
  '/@vite/env',
  '/__vite_ping',
  '/__open-in-editor?file=x',
  '/__inspect',
  '/.vite/manifest.json',
  '/.well-known/security.txt',
  '/.well-known/assetlinks.json',
  '/.well-known/openid-configuration',
  '/.well-known/change-password',
  '/.well-known/acme-challenge/x',
  '/.env',
  '/.git/HEAD',
  '/package.json',
  '/files.json',
  '/csp.json',
  '/_headers.json',
  '/server/entry.mjs',
  '/client/sw.js',
  '/node_modules/astro/package.json',
  '/_astro',
  '/_astro/x.js',
  '/src/pages/index.astro',
  '/server-status',
  '/debug/pprof',
]

unknownRoutes('no request for a path that frameworks or scanners probe is answered', async ({ server }) => {
  const found: string[] = []
  for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS'])
    for (const path of PROBED_PATHS) {
      // A query of a framework on a page of ours is the page.
      // A slash too many leads to the address without it, which is asked for as well.
      const expected =
        path.startsWith('/?') && (method === 'GET' || method === 'HEAD')
          ? [200]
          : withoutSpareSlashes(path) === null
            ? [404, 405]
            : [301, 308]
      const headers: Record<string, string> =
        method === 'POST' ? { origin: server.url, 'content-type': 'application/json' } : {}
      const { status, headers: said } = await requestRaw(server, path, headers, method)
      const type = String(said['content-type'] ?? '')
      if (!expected.includes(status) || type.startsWith('image/')) found.push(`${method} ${path}: ${status} ${type}`)
    }
  assert.equal(found, [])
})

unknownRoutes('a request target that is not a path is refused with 400', async ({ server }) => {
  for (const method of ['GET', 'HEAD', 'OPTIONS'])
    for (const address of [
      'http://otro.example/login',
      'http://otro.example/',
      'https://otro.example/api/today',
      '*',
      'login',
    ])
      assert.equal([address, (await requestRaw(server, address, {}, method)).status], [address, 400])
})
