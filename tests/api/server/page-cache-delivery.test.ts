import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { addDog, fetchPage, pageCacheSuite } from '#tests/support/page-cache-suite.ts'
import { answered, assert, call, signInMember, startServer, type TestServer } from '#tests/support/suites.ts'

const cache = pageCacheSuite('api/server/page-cache-delivery')

cache('an unchanged page is a 304 and is encoded as the browser accepts', async ({ server }) => {
  const first = await fetchPage(server, '/comunidad')
  const etag = first.headers.get('etag')!
  assert.match(etag, /^W\/"[\w-]{22}"$/)
  const again = await fetchPage(server, '/comunidad', { 'If-None-Match': etag })
  assert.equal([again.status, again.headers.get('etag')], [304, etag])
  assert.is((await fetchPage(server, '/comunidad', { 'If-None-Match': 'W/"otra"' })).status, 200)
  for (const encoding of ['br', 'gzip', 'identity']) {
    const { headers, body } = await fetchPage(server, '/comunidad', { 'Accept-Encoding': encoding })
    assert.is(headers.get('content-encoding'), encoding === 'identity' ? null : encoding)
    assert.equal([body, headers.get('vary')], [first.body, 'Accept-Encoding, Cookie'])
  }
})

cache('a member’s pages and the API are encoded too', async ({ server, ana }) => {
  const encodingOf = async (path: string, accepted: string) => {
    const { headers } = await call(server, path, { cookie: ana.cookie, headers: { 'Accept-Encoding': accepted } })
    return headers.get('content-encoding')
  }
  assert.is(await encodingOf('/perros', 'gzip, br'), 'br')
  assert.is(await encodingOf('/api/dogs', 'gzip, br'), 'br')
})

cache(
  'two thousand unknown dogs and random addresses leave memory unchanged, and a reader is served',
  async ({ server, dog }) => {
    const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
    const flood = async (path: (n: number) => string) => {
      for (let n = 0; n < 400; n += 50)
        await Promise.all(
          Array.from({ length: 50 }, (_, i) => fetch(server.url + path(n + i)).then((r) => r.arrayBuffer())),
        )
    }
    const paths = [
      (n: number) => `/beagle/perro-${n}x`,
      (n: number) => `/raza-${n}x/toby`,
      (n: number) => `/perro/${id(n)}`,
      (n: number) => `${dog.path}?x=${n}`,
      (n: number) => `/perros?breed=raza-${n}`,
    ]
    await flood(paths[4]!)
    const before = resident(server)
    for (const path of paths) await flood(path)
    assert.ok(resident(server) < before + 60, `${before} MB, then ${resident(server)} MB`)
    assert.is((await fetchPage(server, dog.path)).status, 200)
    assert.is((await fetchPage(server, '/beagle/perro-1x')).status, 404)
  },
)

cache('five hundred requests that are not read delay nobody', async ({ server }) => {
  const sockets: Socket[] = []
  const before = resident(server)
  for (let i = 0; i < 500; i++) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {})
    socket.pause()
    sockets.push(socket)
    await once(socket, 'connect')
    socket.write('GET /perros HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20))
  }
  assert.is((await fetchPage(server, '/perros')).status, 200)
  const after = resident(server)
  for (const socket of sockets) socket.destroy()
  assert.ok(after < before + 120, `${before} MB, then ${after} MB`)
})

cache('more than 3,000 page renders a minute are 429; cached pages never count', async () => {
  await using server = await startServer({ RENDERS_PER_MINUTE: '5' })
  for (let n = 0; n < 5; n++) assert.is((await fetchPage(server, `/perros?breed=raza-${n}`)).status, 200)
  for (const path of ['/perros?breed=raza-9', '/perfil']) {
    const { headers, body } = await answered(429, fetchPage(server, path))
    assert.ok(Number(headers.get('retry-after')) > 0)
    assert.match(body, 'Has abierto demasiadas páginas en muy poco tiempo. Espera un momento y vuelve a intentarlo.')
  }
  assert.is((await fetchPage(server, '/perros?breed=raza-1')).status, 200, 'it is kept')
  assert.is((await fetchPage(server, '/api/dogs')).status, 200)
  assert.is((await fetchPage(server, '/terminos')).status, 200)
})

cache('who writes sees it in the next page, everybody else within a second', async () => {
  await using server = await startServer({ PAGE_CACHE_POLL_MS: '1000' })
  const [ana, bea] = [await signInMember(server), await signInMember(server, 'bea@ejemplo.es')]
  const { id, path } = await addDog(server, ana.cookie)
  const hasComment = async (cookie: string) => (await call(server, path, { cookie })).body.includes('¡Qué orejas!')
  for (const cookie of ['', bea.cookie]) assert.not.ok(await hasComment(cookie))
  const json = { content: '¡Qué orejas!' }
  const written = await call(server, `/api/dogs/${id}/comments`, { method: 'POST', cookie: bea.cookie, json })
  const at = Date.now()
  const [position] = /perrario-written=\d+/.exec(written.headers.get('set-cookie') ?? '') ?? []
  assert.ok(await hasComment(`${bea.cookie}; ${position}`))
  while (!(await hasComment(''))) assert.ok(Date.now() < at + 3000)
})

/** Resident memory of the server, MB. */
const resident = (server: TestServer) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid()}/status`, 'utf8'))![1]) / 1024

cache('an address with spare slashes redirects to the one without, never to another host', async ({ server, ana }) => {
  /** As it is written: `fetch` and curl would tidy some of it. */
  const ask = async (target: string, method = 'GET') => {
    const { port } = new URL(server.url)
    const headers = { cookie: ana.cookie, origin: server.url }
    const asked = request({ port, host: '127.0.0.1', path: target, method, headers }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    return `${answer.statusCode} ${answer.headers.location ?? ''}`
  }
  const led = {
    '//perros': '/perros',
    '/perros/': '/perros',
    '/perros//': '/perros',
    '///perros?breed=beagle&q=//': '/perros?breed=beagle&q=//',
    '/razas//beagle/': '/razas/beagle',
    '//': '/',
    '//otro.example/perros': '/otro.example/perros',
    '//api//dogs/': '/api/dogs',
    '//healthz': '/healthz',
    '/razas/?modo=mias': '/razas?modo=mias',
  }
  for (const [target, location] of Object.entries(led)) assert.is(await ask(target), `301 ${location}`, target)
  assert.is(await ask('/api/dogs/', 'POST'), '308 /api/dogs')
  assert.is(await ask('//api/account', 'DELETE'), '308 /api/account')
  for (const target of ['/', '/perros', '/?tab=mine//', '/healthz']) assert.is(await ask(target), '200 ', target)
})
