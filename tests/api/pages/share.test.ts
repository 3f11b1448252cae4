import sharp from 'sharp'
import { ban } from '#features/moderation/bans.server.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { dog, member, seed, signIn } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { answered, assert, call, type Dog, formOf, serverSuite, type ServerWorld } from '#tests/support/suites.ts'

interface World extends ServerWorld {
  toby: Dog
  anaId: string
}
const share = serverSuite<World>('api/pages/share', { SITE_URL: 'https://perrario.example' })

share.before(async (t) => {
  const [ana, toby] = await seed(
    t.server.db,
    member({ alias: 'Ana' }),
    dog({ name: 'Ñoño', breed: 'Beagle', zone: 'Jaca', age: 3, age_unit: 'años', weight: 12.5 }),
  )
  Object.assign(t, { toby, anaId: ana.id })
})

/** The content of a page's meta, by its name. */
async function metaOf(server: TestServer, path: string): Promise<Record<string, string>> {
  const { body } = await call(server, path)
  const tags = (body as string).matchAll(/<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)"/g)
  return Object.fromEntries([...tags].map(([, name, content]) => [name, content]))
}
const HOST = 'https://perrario.example'
const pathOf = (meta: Record<string, string>) => meta['og:image']!.slice(HOST.length)

/** The bytes themselves, which `call` would read as text. */
async function pictureAt(server: TestServer, path: string) {
  const response = await fetch(server.url + path)
  const { format, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
  return { shape: [format, width, height], headers: response.headers }
}

const PAGES: [path: (w: World) => string, address: (w: World) => string, alt: string][] = [
  [() => '/', () => '/tarjetas/sitio/perrario.jpg', 'Perrario, el álbum de los perros'],
  [() => '/comunidad', () => '/tarjetas/sitio/perrario.jpg', 'Perrario, el álbum de los perros'],
  [() => '/razas/beagle', () => '/tarjetas/raza/beagle.jpg', 'Beagle en Perrario'],
  [(w) => w.toby.path, (w) => `/tarjetas/perro/${w.toby.id}.jpg`, 'Cromo de Ñoño, Beagle, en Perrario'],
  [(w) => `/perro/${w.toby.id}`, (w) => `/tarjetas/perro/${w.toby.id}.jpg`, 'Cromo de Ñoño, Beagle, en Perrario'],
  [
    () => '/reto/2026-11-02?resultado=3',
    () => '/tarjetas/reto/2026-11-02-3.jpg',
    'Reto n.º 2 de Perrario. Acertada en 3 de 6 intentos',
  ],
  [(w) => `/usuario/${w.anaId}`, (w) => `/tarjetas/miembro/${w.anaId}.jpg`, 'Perfil de Ana en Perrario'],
]

for (const [path, address, alt] of PAGES)
  share(
    `${path({ toby: { path: 'a dog', id: 'id' }, anaId: 'id' } as World)} declares its share image, which exists`,
    async (w) => {
      const meta = await metaOf(w.server, path(w))
      const { 'og:image': image, 'og:image:width': width, 'og:image:height': height, 'og:image:type': type } = meta
      assert.equal([width, height, type, meta['og:image:alt']], ['1200', '630', 'image/jpeg', alt])
      assert.is(meta['twitter:card'], 'summary_large_image')
      assert.match(image!, new RegExp(`^${HOST}${address(w).replaceAll('.', '\\.')}\\?v=[\\w-]{8}$`))
      const { shape, headers } = await pictureAt(w.server, pathOf(meta))
      assert.equal(shape, ['jpeg', 1200, 630])
      assert.is(headers.get('content-type'), 'image/jpeg')
      assert.is(headers.get('cache-control'), 'private, max-age=31536000, immutable')
      assert.is(headers.get('content-disposition'), null)
      assert.is(headers.get('set-cookie'), null)
    },
  )

share('a dog’s title and description contain its name, age, weight and card type', async ({ server, toby }) => {
  const meta = await metaOf(server, toby.path)
  assert.is(meta['og:title'], 'Ñoño, Beagle | Perrario')
  assert.match(meta['og:description']!, 'Ñoño: Beagle, 3 años, 12,5 kg, cromo platino, Jaca.')
})

share('an unchanged image is a 304', async ({ server, toby }) => {
  const path = pathOf(await metaOf(server, toby.path))
  const etag = (await call(server, path)).headers.get('etag')!
  const again = await call(server, path, { headers: { 'If-None-Match': etag } })
  assert.equal([again.status, again.body, again.headers.get('etag')], [304, undefined, etag])
  assert.is((await call(server, path, { headers: { 'If-None-Match': '"otra"' } })).status, 200)
  const head = await call(server, path, { method: 'HEAD' })
  assert.equal([head.status, head.body, head.headers.get('etag')], [200, undefined, etag])
})

share('the address of another version serves the present image, uncached', async ({ server, toby }) => {
  const { headers: present } = await call(server, pathOf(await metaOf(server, toby.path)))
  for (const query of ['', '?v=', '?v=antigua0', `?v=${'x'.repeat(2000)}`]) {
    const { status, headers } = await call(server, `/tarjetas/perro/${toby.id}.jpg${query}`)
    assert.equal([status, headers.get('cache-control')], [200, 'private, no-cache'], query)
    assert.is(headers.get('etag'), present.get('etag'))
  }
})

share('a change of a dog gives its image another address', async ({ server, toby }) => {
  const before = pathOf(await metaOf(server, toby.path))
  await server.db.updateTable('dogs_all').set({ zone: 'Huesca' }).where('id', '=', toby.id).execute()
  // The database was written to beside the server, as `npm run admin` does.
  const after = pathOf(await metaOf(server, `${toby.path}?x`))
  assert.is.not(after, before)
  assert.is((await call(server, before)).headers.get('cache-control'), 'private, no-cache')
})

share('the sticker is a download with a file name, linked from the dog’s page', async ({ server, toby }) => {
  const { body } = await call(server, toby.path)
  const [, path] = /<a [^>]*href="(\/tarjetas\/cromo\/[^"]+)"[^>]* download/.exec(body)!
  assert.match(body, /Descargar cromo/)
  const { shape, headers } = await pictureAt(server, path!)
  assert.equal(shape, ['jpeg', 864, 1080])
  assert.is(headers.get('content-disposition'), 'attachment; filename="nono-beagle-perrario.jpg"')
  assert.is(headers.get('cache-control'), 'private, max-age=31536000, immutable')
})

share('a missing dog is a 404 and not cached', async ({ server, anaId, toby }) => {
  for (const path of [
    `perro/${UNKNOWN_ID}.jpg`,
    `cromo/${anaId}.jpg`,
    `miembro/${toby.id}.jpg`,
    'raza/no-existe.jpg',
    'raza/..%2F..%2Fperrario.db.jpg',
    'sitio/otro.jpg',
    `__proto__/${toby.id}.jpg`,
    `constructor/${toby.id}.jpg`,
  ]) {
    const { status, headers } = await call(server, `/tarjetas/${path}`)
    assert.equal([status, headers.get('cache-control')], [404, 'no-store'], path)
  }
})

share('a banned member has no image', async ({ server }) => {
  const [luis] = await seed(server.db, member({ alias: 'Luis' }))
  await ban(server.db, luis.id, { until: null, reason: 'Insultos' })
  const id = luis.id
  assert.is((await call(server, `/tarjetas/miembro/${id}.jpg`)).status, 404)
})

share(
  'beside a hundred queued cards an upload and a page are served, and further cards are refused with Retry-After',
  async () => {
    await using server = await startServer()
    const { cookie } = await signIn(server, 'ana@ejemplo.es')
    const dogs = await seed(server.db, ...Array.from({ length: 100 }, () => dog()))
    let drawn = 0
    const cards = dogs.map(async ({ id }) => {
      const { status, headers } = await fetch(`${server.url}/tarjetas/cromo/${id}.jpg`)
      if (status === 200) drawn++
      return `${status} ${headers.get('retry-after')}`
    })
    const form = formOf({ name: 'Toby', breed: 'beagle', relationship: 'owner', images: [new Blob([await photo()])] })
    const upload = call(server, '/api/dogs', { method: 'POST', cookie, form })
    assert.is((await call(server, '/perfil', { cookie })).status, 200)
    assert.is((await upload).status, 201)
    const answers = await Promise.all(cards)
    assert.equal([...new Set(answers)].toSorted(), ['200 null', '503 5'])
    assert.ok(drawn >= 33, `${drawn} were drawn: those that wait, and the one under way`)
    // What was refused is drawn later.
    const refused = dogs[answers.indexOf('503 5')]!
    assert.is((await call(server, `/tarjetas/cromo/${refused.id}.jpg`)).status, 200)
  },
)

share('one network may render a hundred and twenty cards a minute; rendered ones are still served', async () => {
  await using server = await startServer()
  const dogs = await seed(server.db, ...Array.from({ length: 121 }, () => dog()))
  const path = (n: number) => `/tarjetas/perro/${dogs[n]!.id}.jpg`
  for (let n = 0; n < 120; n++) assert.is((await call(server, path(n))).status, 200)
  assert.ok(Number((await answered(429, call(server, path(120)))).headers.get('retry-after')) > 0)
  assert.is((await call(server, path(119))).status, 200)
})
