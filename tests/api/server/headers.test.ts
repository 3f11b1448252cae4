import { withoutDogsTable } from '#tests/support/missing-table.ts'
import { signInMember } from '#tests/support/members.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { answered, assert, assertNone, call, formOf, serverSuite, type ServerWorld } from '#tests/support/suites.ts'

// Every response has its headers: pages, cached or rendered, calls, files, photos, errors, refusals.
interface Shared extends ServerWorld {
  photo: string
}
const headers = serverSuite<Shared>('api/server/headers', {
  SITE_URL: 'https://perrario.example',
  RENDERS_PER_MINUTE: '100',
})

headers.before(async (t) => {
  const images = new Blob([await photo()], { type: 'image/jpeg' })
  const form = formOf({ name: 'Toby', breed: 'Beagle', images })
  const { body } = await call(t.server, '/api/dogs', { method: 'POST', form })
  t.photo = body.dog.photo_url
})

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000',
  'x-powered-by': null,
  server: null,
}
const DOCUMENT_HEADERS = { ...COMMON_HEADERS, 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin' }
const CSP_NOTHING = "default-src 'none'; frame-ancestors 'none'"

function assertHeaders(found: Headers, wanted: Record<string, string | null>, what: string) {
  assert.equal(Object.fromEntries(Object.keys(wanted).map((name) => [name, found.get(name)])), wanted, what)
}

headers('pages have strict headers: cached or not, found or not, prerendered or not', async ({ server }) => {
  for (const path of [
    '/',
    '/',
    '/perros',
    '/razas/beagle',
    '/login',
    '/beagle/nadie',
    '/no/hay/nada',
    '/terminos',
    '/api/docs',
    '/sin-conexion',
  ]) {
    const { headers: found, status } = await call(server, path)
    assertHeaders(found, DOCUMENT_HEADERS, `${path} ${status}`)
    assert.match(found.get('permissions-policy') ?? '', /^browsing-topics=\(\), .*camera=\(\), .*geolocation=\(self\)/)
    // Special stickers tilt with the phone.
    for (const sensor of ['accelerometer', 'gyroscope'])
      assert.ok(found.get('permissions-policy')!.split(', ').includes(`${sensor}=(self)`), sensor)
    const policy = found.get('content-security-policy')!
    assert.match(
      policy,
      /^default-src 'none'; script-src 'self' ('sha256-[^']+' ?)+; style-src 'self' ('sha256-[^']+' ?)+; /,
    )
    assert.not.match(policy, /unsafe|\*|https?:/)
    for (const part of [
      "base-uri 'none'",
      "object-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      'upgrade-insecure-requests',
    ])
      assert.ok(policy.split('; ').includes(part), part)
    assert.ok(policy.length < 1200, `every page carries it: ${policy.length} B`)
  }
})

headers('the error page has its styles, like any other', async ({ server }) => {
  const whole = (await call(server, '/terminos')).headers.get('content-security-policy')
  assert.match(whole!, "style-src 'self'")
  await withoutDogsTable(server, async () => {
    // One that the page cache has rendered, now for the first time, and one that it leaves to Astro.
    for (const path of ['/razas/boxer', '/perfil']) {
      const { status, headers } = await call(server, path)
      assert.is(status, 500, path)
      assertHeaders(headers, { ...DOCUMENT_HEADERS, 'content-security-policy': whole }, path)
    }
  })
})

headers('a 304 has the headers too', async ({ server }) => {
  const first = await call(server, '/')
  const again = await answered(304, call(server, '/', { headers: { 'If-None-Match': first.headers.get('etag')! } }))
  assertHeaders(again.headers, DOCUMENT_HEADERS, '304')
})

headers('calls, errors and refusals allow no loading and no framing', async ({ server }) => {
  const cases = [
    ['GET', '/api/session'],
    ['GET', '/api/dogs'],
    ['GET', '/api/no-existe'],
    ['GET', '/healthz'],
    ['PATCH', '/api/dogs/x'],
    ['GET', '/compartir'],
    ['GET', '/api/openapi.json'],
    ['GET', '/datos/perros.csv'],
    ['GET', '/datos/perros.geojson'],
  ] as const
  for (const [method, path] of cases) {
    const { headers: found, status } = await call(server, path, { method })
    assertHeaders(found, { ...DOCUMENT_HEADERS, 'content-security-policy': CSP_NOTHING }, `${method} ${path} ${status}`)
  }
  const foreign = await call(server, '/api/auth/sign-out', {
    method: 'POST',
    headers: { Origin: 'https://otro.example' },
  })
  assertHeaders(foreign.headers, { ...DOCUMENT_HEADERS, 'content-security-policy': CSP_NOTHING }, 'refused')
  assert.is(foreign.status, 403)
})

headers('photos, files and the stream have the short set', async ({ server, photo }) => {
  for (const path of [photo, `/photos/nada.jpg`, '/_astro/nada.js', '/api/events']) {
    const stop = new AbortController()
    const answer = await fetch(server.url + path, { signal: stop.signal })
    assertHeaders(
      answer.headers,
      { ...COMMON_HEADERS, 'content-security-policy': CSP_NOTHING },
      `${path} ${answer.status}`,
    )
    stop.abort()
  }
  const html = String((await call(server, '/terminos')).body)
  const [script] = /\/_astro\/[\w.-]+\.js/.exec(html)!
  const [style] = /\/_astro\/[\w.-]+\.css/.exec(html)!
  for (const path of [script, style, '/favicon-48.png', '/zonas.json', '/sw.js', '/manifest.webmanifest'])
    // A worker is bound by its own script's policy: it has none, and so the pages' holds for what it is asked for.
    assertHeaders((await call(server, path)).headers, { ...COMMON_HEADERS, 'content-security-policy': null }, path)
  const drawing = await call(server, '/favicon.svg')
  assert.match(
    drawing.headers.get('content-security-policy')!,
    /^default-src 'none'; style-src ('sha256-[^']+' ?)+; frame-ancestors 'none'$/,
  )
})

headers('a 429 for a page and a 413 for a body have the document’s headers', async ({ server }) => {
  let last = await call(server, '/perros?cursor=0')
  for (let i = 1; i < 130 && last.status !== 429; i++) last = await call(server, `/perros?cursor=${i}`)
  assert.is(last.status, 429)
  assertHeaders(last.headers, { ...DOCUMENT_HEADERS, 'content-security-policy': CSP_NOTHING }, '429')
  const large = new Uint8Array(49 * 1024 * 1024)
  const answer = await fetch(`${server.url}/api/dogs`, { method: 'POST', body: large }).catch(() => null)
  if (answer) assertHeaders(answer.headers, { ...DOCUMENT_HEADERS, 'content-security-policy': CSP_NOTHING }, '413')
})

headers('pages with mails, devices or keys are no-store', async ({ server }) => {
  const cookie = (await signInMember(server)).cookie.replace('perrario', 'perrario')
  for (const path of ['/perfil/cuenta', '/admin', '/login/codigo', '/login/enlace?token=x'])
    assert.is((await call(server, path, { cookie })).headers.get('cache-control'), 'no-store', path)
})

/** Whom an answer is for: the service worker keeps by it. */
const WORKER_HEADER = 'perrario-session'
/** What a client might say to be taken for a part of the server. */
const INTERNAL_HEADERS = ['Keep', 'Tags', 'Max-Age', 'Device', 'Policy', 'Request'].map(
  (name) => [`Perrario-${name}`, '1'] as const,
)

headers('internal headers are neither sent nor accepted', async (t) => {
  for (const path of [
    '/',
    '/perros',
    '/razas/beagle',
    '/comunidad',
    '/beagle/toby',
    '/no/hay',
    '/api/dogs',
    '/api/map?bbox=-4,40,-3,41',
    t.photo,
    '/razas.json',
  ])
    // Rendered now, and cached.
    for (const given of [INTERNAL_HEADERS, INTERNAL_HEADERS, []]) {
      const { headers: found, status } = await call(t.server, path, { headers: Object.fromEntries(given) })
      assertNone(
        [...found.keys()],
        (name) => name.startsWith('perrario') && name !== WORKER_HEADER,
        `${path} ${status}`,
      )
    }
})
