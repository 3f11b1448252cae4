import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call, formOf } from '#tests/support/api.ts'
import { signInMember, type TestMember } from '#tests/support/members.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { withDatabase, accountDeletionBody } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

interface World {
  server: TestServer
  ana: TestMember
  dog: { id: string; path: string }
}
const ADMIN = 'admin@ejemplo.es'
const cache = suite<World>('page cache')

const add = async (server: TestServer, cookie: string, fields: Record<string, string> = {}) => {
  const form = formOf({
    name: 'Toby',
    breed: 'Beagle',
    relationship: 'owner',
    ...fields,
    images: new Blob([await photo()]),
  })
  const { status, body } = await call(server, '/api/dogs', { method: 'POST', cookie, form })
  assert.is(status, 201)
  return body.dog as World['dog']
}

cache.before(async (t) => {
  // Nothing but the server itself writes here, so it is never told to look for others.
  t.server = await startServer({ PAGE_CACHE_LOOK: '3600000', ADMIN_EMAIL: ADMIN })
  t.ana = await signInMember(t.server)
  t.dog = await add(t.server, t.ana.cookie)
})
cache.after(({ server }) => server.dispose())

const page = async (server: TestServer, path: string, headers: Record<string, string> = {}) =>
  call(server, path, { headers })
/** The page as Astro makes it now: a cookie that no session goes with leads past the cache. */
const rendered = async (server: TestServer, path: string) =>
  (await call(server, path, { cookie: 'perrario=nadie' })).body as string

/** Every kind of page, in the states that writes change. */
const pagesOf = ({ ana, dog }: World) => [
  '/',
  '/perros',
  '/perros?sort=votes-desc',
  '/perros?breed=beagle',
  '/perros?breed=galgo-espanol',
  '/perros?view=map',
  '/?tab=mine',
  '/razas',
  '/razas?vista=lista',
  '/razas/imprimir',
  '/razas/beagle',
  '/razas/galgo-espanol',
  '/comunidad',
  dog.path,
  `/perro/${dog.id}`,
  `/perro/${dog.id}/cartel`,
  '/beagle/no-hay-tal',
  '/perro/3f0a7a52-9d53-4a8e-8c39-8a1f7a0c2b12',
  `/usuario/${ana.id}`,
  `/usuario/${ana.id}?tab=likes`,
  `/usuario/${ana.id}?tab=razas`,
]

cache('after every kind of write each page is what Astro would make now', async (t) => {
  const { server, ana, dog } = t
  const bea = await signInMember(server, 'bea@ejemplo.es')
  let luna: World['dog'] | undefined
  const patch = (json: object) => call(server, `/api/dogs/${dog.id}`, { method: 'PATCH', cookie: ana.cookie, json })
  let comment = ''
  const admin = await signInMember(server, ADMIN)
  let thing = ''
  const accuse = (kind: string, id: string) => {
    thing = id
    return call(server, '/api/reports', { method: 'POST', cookie: ana.cookie, json: { kind, id, reason: 'spam' } })
  }
  const decide = async (deed: string) => {
    const { id } = await withDatabase(server, (db) =>
      db.selectFrom('cases').select('id').where('thing_id', '=', thing).executeTakeFirstOrThrow(),
    )
    const json = { deed, reason: 'Un motivo.' }
    const { status } = await call(server, `/api/admin/cases/${id}`, { method: 'POST', cookie: admin.cookie, json })
    assert.is(status, 200)
  }
  const writes: [string, () => Promise<unknown>][] = [
    ['a first look', async () => {}],
    ['a like', () => call(server, `/api/dogs/${dog.id}/like`, { method: 'PUT', cookie: ana.cookie })],
    ['somebody else’s like', () => call(server, `/api/dogs/${dog.id}/like`, { method: 'PUT', cookie: bea.cookie })],
    ['a like taken back', () => call(server, `/api/dogs/${dog.id}/like`, { method: 'DELETE', cookie: ana.cookie })],
    [
      'a comment',
      async () => {
        const json = { content: '¡Qué orejas!' }
        const { body } = await call(server, `/api/dogs/${dog.id}/comments`, {
          method: 'POST',
          cookie: bea.cookie,
          json,
        })
        comment = body.comment.id
      },
    ],
    [
      'another alias',
      () =>
        call(server, '/api/profile', { method: 'PATCH', cookie: bea.cookie, json: { alias: 'Beatriz', emoji: '🐩' } }),
    ],
    ['a comment taken back', () => call(server, `/api/comments/${comment}`, { method: 'DELETE', cookie: bea.cookie })],
    ['another description', () => patch({ description: 'Duerme mucho.' })],
    ['another weight', () => patch({ weight: 12 })],
    ['a second dog', async () => void (luna = await add(server, bea.cookie, { name: 'Luna', breed: 'Galgo español' }))],
    ['a report of a dog', () => accuse('dog', luna!.id)],
    ['a hidden dog', () => decide('hide')],
    ['a dog let out again', () => decide('restore')],
    ['a report of a profile', () => accuse('profile', bea.id)],
    ['a hidden profile', () => decide('hide')],
    ['a profile let out again', () => decide('restore')],
    ['another breed', () => patch({ breed: 'Galgo español' })],
    [
      'another photo',
      async () =>
        call(server, `/api/dogs/${dog.id}/images`, {
          method: 'PUT',
          cookie: ana.cookie,
          form: formOf({ images: new Blob([await photo()]) }),
        }),
    ],
    ['a new name', () => patch({ name: 'Tobías' })],
    ['a dog that goes', () => call(server, `/api/dogs/${luna!.id}`, { method: 'DELETE', cookie: bea.cookie })],
    [
      'an account that goes',
      async () => {
        const json = await accountDeletionBody(server, bea.cookie, 'keep')
        const { status } = await call(server, '/api/account', { method: 'DELETE', cookie: bea.cookie, json })
        assert.is(status, 204)
      },
    ],
  ]
  const stale: string[] = []
  for (const [what, write] of writes) {
    await write()
    for (const path of [...pagesOf(t), ...(luna ? [luna.path] : [])]) {
      const [kept, now] = [await page(server, path), await rendered(server, path)]
      if (kept.body !== now) stale.push(`${path} after ${what}`)
    }
  }
  assert.equal(stale, [])
  dog.path = (await call(server, `/api/dogs/${dog.id}`)).body.dog.path
})

cache(
  'nothing of a member’s page reaches a visitor, and nothing of a visitor’s the member',
  async ({ server, ana, dog }) => {
    for (const path of ['/', '/perros', '/razas', '/comunidad', dog.path, `/usuario/${ana.id}`]) {
      const member = await call(server, path, { cookie: ana.cookie })
      assert.match(member.body, `data-member="${ana.id}"`, path)
      assert.is(member.headers.get('cache-control'), 'private, no-cache')
      assert.is(member.headers.get('perrario-session'), 'member')
      assert.is(member.headers.get('etag'), null)
      const visitor = await page(server, path)
      assert.match(visitor.body, /<body data-member>/, path)
      assert.not.match(visitor.body, ana.email)
      assert.is(visitor.headers.get('cache-control'), 'no-cache')
      assert.is(visitor.headers.get('perrario-session'), 'none')
      assert.is(visitor.headers.get('set-cookie'), null)
      assert.match((await call(server, path, { cookie: ana.cookie })).body, `data-member="${ana.id}"`, path)
    }
  },
)

cache('neither Host nor forwarded headers nor junk in the query get into a kept page', async ({ server, dog }) => {
  const plain = (await page(server, dog.path)).body
  const games = {
    Host: 'malo.example',
    'X-Forwarded-Host': 'malo.example',
    'X-Forwarded-Proto': 'ftp',
    'X-Original-URL': '/x',
  }
  for (const path of [`${dog.path}?malo=<script>malo</script>&x=malo.example`, dog.path]) {
    const body = await raw(server, path, games)
    assert.not.match(body, 'malo')
  }
  assert.is((await page(server, dog.path)).body, plain)
  await call(server, `/api/dogs/${dog.id}`, { method: 'GET' })
  // The first to ask for a page that is not kept yet brings nothing of their own either.
  assert.not.match(await raw(server, '/razas/lebrel-afgano?malo=1', games), 'malo')
  assert.not.match((await page(server, '/razas/lebrel-afgano')).body, 'malo')
})

cache('a page that has not changed is a 304, and comes packed as the browser takes it', async ({ server }) => {
  const first = await page(server, '/comunidad')
  const etag = first.headers.get('etag')!
  assert.match(etag, /^W\/"[\w-]{22}"$/)
  const again = await page(server, '/comunidad', { 'If-None-Match': etag })
  assert.is(again.status, 304)
  assert.is(again.headers.get('etag'), etag)
  assert.is((await page(server, '/comunidad', { 'If-None-Match': 'W/"otra"' })).status, 200)
  for (const encoding of ['br', 'gzip', 'identity']) {
    const { headers, body } = await page(server, '/comunidad', { 'Accept-Encoding': encoding })
    assert.is(headers.get('content-encoding'), encoding === 'identity' ? null : encoding)
    assert.is(body, first.body)
    assert.is(headers.get('vary'), 'Accept-Encoding, Cookie')
  }
})

cache('a member’s pages and the API come packed too', async ({ server, ana }) => {
  for (const path of ['/perros', '/api/dogs'])
    assert.is(
      (await call(server, path, { cookie: ana.cookie, headers: { 'Accept-Encoding': 'br' } })).headers.get(
        'content-encoding',
      ),
      'br',
    )
})

cache(
  'two thousand unknown dogs and junk addresses leave memory as it was, and a reader is served',
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
    assert.is((await page(server, dog.path)).status, 200)
    assert.is((await page(server, '/beagle/perro-1x')).status, 404)
  },
)

cache('five hundred who ask and do not read keep nobody waiting', async ({ server }) => {
  const sockets: Socket[] = []
  const before = resident(server)
  for (let i = 0; i < 500; i++) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {})
    socket.pause()
    sockets.push(socket)
    await once(socket, 'connect')
    socket.write('GET /perros HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20))
  }
  assert.is((await page(server, '/perros')).status, 200)
  const after = resident(server)
  for (const socket of sockets) socket.destroy()
  assert.ok(after < before + 120, `${before} MB, then ${after} MB`)
})

cache('whoever has more than 3,000 pages rendered a minute is asked to wait; kept pages never count', async () => {
  const server = await startServer({ RENDERS_PER_MINUTE: '5' })
  try {
    for (let n = 0; n < 5; n++) assert.is((await page(server, `/perros?breed=raza-${n}`)).status, 200)
    for (const path of ['/perros?breed=raza-9', '/perfil']) {
      const { status, headers, body } = await page(server, path)
      assert.is(status, 429)
      assert.ok(Number(headers.get('retry-after')) > 0)
      assert.match(body, 'Has abierto demasiadas páginas en muy poco tiempo. Espera un momento y vuelve a intentarlo.')
    }
    assert.is((await page(server, '/perros?breed=raza-1')).status, 200, 'it is kept')
    assert.is((await page(server, '/api/dogs')).status, 200)
    assert.is((await page(server, '/terminos')).status, 200)
  } finally {
    await server.dispose()
  }
})

/** Resident memory of the server, MB. */
const resident = (server: TestServer) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid()}/status`, 'utf8'))![1]) / 1024

/** A request with headers that fetch refuses to send. */
async function raw(server: TestServer, path: string, headers: Record<string, string>): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  await once(socket, 'close')
  assert.match(text, /^HTTP\/1\.1 200/)
  return text
}

cache('an address with spare slashes leads to the one without, never to another host', async ({ server, ana }) => {
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

cache.run()
