import sharp from 'sharp'
import { runToEnd, startServer, type TestServer } from '#tests/support/server.ts'
import { answered, assert, call, formOf, redirectOf, serverSuite, signInMember } from '#tests/support/suites.ts'

interface Icon {
  src: string
  sizes: string
  purpose: string
}
interface Shortcut {
  name: string
  url: string
  icons: Icon[]
}

const pwa = serverSuite('api/pages/pwa')

const bytesOf = async (server: TestServer, path: string) => {
  const response = await fetch(server.url + path)
  assert.is(response.status, 200, path)
  return Buffer.from(await response.arrayBuffer())
}

pwa('the manifest describes the app in Spanish, and its icons exist in the declared sizes', async ({ server }) => {
  const { headers, body } = await answered(200, call(server, '/manifest.webmanifest'))
  assert.match(headers.get('content-type')!, /^application\/manifest\+json/)
  assert.equal([body.name, body.short_name, body.lang], ['Perrario, el álbum de los perros', 'Perrario', 'es'])
  assert.is(body.display, 'standalone')
  assert.equal(
    body.icons.map(({ sizes, purpose }: Icon) => `${sizes} ${purpose}`),
    ['192x192 any', '512x512 any', '192x192 maskable', '512x512 maskable', '512x512 monochrome'],
  )
  const shortcuts = body.shortcuts.map(({ name, url }: Shortcut) => [name, url])
  assert.equal(shortcuts, [
    ['Añadir perro', '/#anadir-perro'],
    ['Álbum', '/razas'],
  ])
  for (const { src, sizes } of [...body.icons, ...body.shortcuts.flatMap(({ icons }: Shortcut) => icons)]) {
    const { width, height, format } = await sharp(await bytesOf(server, src)).metadata()
    assert.is(`${width}x${height} ${format}`, `${sizes} png`, src)
  }
  const { data } = await sharp(await bytesOf(server, '/icon-monochrome-512.png'))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  assert.is(data[3], 0, 'one colour on nothing: its corner is clear')
  assert.is((await sharp(await bytesOf(server, '/apple-touch-icon.png')).metadata()).width, 180)
  for (const path of ['/', '/terminos', '/sin-conexion']) {
    const page: string = (await call(server, path)).body
    assert.ok(page.includes('<link rel="manifest" href="/manifest.webmanifest">'), path)
    assert.ok(page.includes('<link rel="apple-touch-icon" href="/apple-touch-icon.png">'), path)
  }
})

pwa('the worker is revalidated at every visit, and its scope is the whole site', async ({ server }) => {
  const { headers } = await answered(200, call(server, '/sw.js'))
  assert.match(headers.get('content-type')!, /^text\/javascript/)
  assert.equal([headers.get('cache-control'), headers.get('service-worker-allowed')], ['no-cache', '/'])
  assert.is(headers.get('x-content-type-options'), 'nosniff')
})

/** The two lists that the build wrote into the worker, as its precache manifest. */
function readPrecacheLists(code: string): { base: string[]; form: string[] } {
  const [manifest] = /\[\{"isForm".*?\}\]/s.exec(code)!
  const pieces: { url: string; isForm: boolean }[] = JSON.parse(manifest)
  const of = (ofForm: boolean) => pieces.filter(({ isForm }) => isForm === ofForm).map(({ url }) => url)
  return { base: of(false), form: of(true) }
}

pwa(
  'the worker precaches less than 300 kB: the offline page, its styles, fonts and icons, not the build',
  async ({ server }) => {
    const { base, form } = readPrecacheLists((await call(server, '/sw.js')).body)
    let sum = 0
    for (const url of base) sum += (await bytesOf(server, url)).length
    assert.ok(base.includes('/sin-conexion'))
    assert.ok(base.some((url) => /figtree.*woff2$/.test(url)))
    assert.ok(base.some((url) => /Shell\..*css$/.test(url)))
    assert.ok(sum < 300_000, `${sum} B, not compressed`)
    assert.ok(form.some((url) => /DogForm\./.test(url)))
    assert.ok(form.some((url) => /photos\.client/.test(url)))
    assert.ok(form.some((url) => /panel\.client/.test(url)))
    assert.ok(form.some((url) => /queue\..*css$/.test(url)))
    assert.not.ok(
      [...base, ...form].some((url) => /heic-to/.test(url)),
      'the 3 MB of HEIC stay where they are',
    )
    for (const url of form) await bytesOf(server, url)
  },
)

pwa('every page declares whether it was rendered with a session', async ({ server }) => {
  const ana = await signInMember(server)
  const header = async (path: string, cookie?: string) =>
    (await call(server, path, { cookie })).headers.get('perrario-session')
  for (const path of ['/', '/perros', '/razas', '/comunidad', `/usuario/${ana.id}`]) {
    assert.is(await header(path), 'none', path)
    assert.is(await header(path, ana.cookie), 'member', path)
  }
  assert.is(await header('/terminos'), 'any', 'prerendered')
  assert.is(await header('/terminos', ana.cookie), 'member')
  assert.is(await header('/sin-conexion'), 'any')
  for (const path of ['/perfil', '/perfil/cuenta', '/notificaciones', '/admin', '/login'])
    assert.match(
      (await call(server, path, { cookie: ana.cookie })).headers.get('cache-control') ?? '',
      /^private, no-cache$|no-store/,
      path,
    )
})

pwa('a photo shared without a worker redirects to the form, which explains it', async ({ server }) => {
  const form = formOf({ fotos: new File(['x'], 'toby.jpg', { type: 'image/jpeg' }) })
  // The system sends it: the origin is nobody’s.
  const shared = await call(server, '/compartir', { method: 'POST', form, headers: { Origin: 'null' } })
  assert.equal(redirectOf(shared), [303, '/?compartido=no#anadir-perro'])
  assert.equal(redirectOf(await call(server, '/compartir')), [302, '/#anadir-perro'])
})

pwa('SERVICE_WORKER=off serves a worker that removes itself', async () => {
  await using server = await startServer({ SERVICE_WORKER: 'off' })
  const { status, headers, body } = await call(server, '/sw.js')
  assert.equal([status, headers.get('cache-control')], [200, 'no-cache'])
  assert.match(body, /unregister\(\)/)
  assert.not.match(body, /respondWith/)
})

pwa('another value prevents the start with one line', async () => {
  const { code, output } = await runToEnd({ SERVICE_WORKER: 'quizá' })
  assert.is(code, 1)
  assert.match(output, /^perrario · SERVICE_WORKER=quizá: valor no válido \(se esperaba on u off\)\.$/m)
})
