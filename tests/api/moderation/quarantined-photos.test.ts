import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { enqueue } from '#features/outbox/jobs.server.ts'
import { BOXES } from '#features/photos/photos.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { startServer } from '#tests/support/server.ts'
import { assert, call, formOf, pluck, signInMember, suite, type TestMember } from '#tests/support/suites.ts'

const ADMIN = 'admin@ejemplo.es'
const SITE = 'http://perros.example'
const server = await startServer({ ADMIN_EMAIL: ADMIN, HOLD_ANONYMOUS: 'on', SITE_URL: SITE })
const [ana, luis, eva, admin] = [
  await signInMember(server, 'ana@ejemplo.es'),
  await signInMember(server, 'luis@ejemplo.es'),
  await signInMember(server, 'eva@ejemplo.es'),
  await signInMember(server, ADMIN),
] as [TestMember, TestMember, TestMember, TestMember]

const quarantined = suite('api/moderation/quarantined-photos')
quarantined.after(() => server.dispose())

interface Added {
  id: string
  path: string
  photo_url: string
  images: { url: string }[]
  waits?: boolean
}

const ACCEPT_HEADERS = ['image/avif,image/webp,*/*;q=0.8', 'image/webp,*/*;q=0.8', '*/*']

async function add(cookie: string | undefined, fields: Record<string, string> = {}): Promise<Added> {
  const images = [new Blob([await photo(30, 400, 300)]), new Blob([await photo(200, 400, 300)])]
  const form = formOf({ name: 'Toby', breed: 'Beagle', relationship: 'owner', zone: 'Madrid', ...fields, images })
  const { status, body } = await call(server, '/api/dogs', { method: 'POST', cookie, form, headers: { Origin: SITE } })
  assert.is(status, 201, JSON.stringify(body))
  return body.dog
}

const write = async (path: string, json: unknown, cookie: string, method = 'POST') => {
  const { status, body } = await call(server, path, { method, cookie, json, headers: { Origin: SITE } })
  assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(body)}`)
  return body
}

/** The admin's word about a dog or a photo, reported first where there is no case yet. */
async function decide(kind: string, id: string, deed: string) {
  const caseOf = () =>
    server.db
      .selectFrom('cases')
      .select(['id', 'edited_at as version'])
      .where('kind', '=', kind as never)
      .where('thing_id', '=', id)
      .executeTakeFirst()
  if (!(await caseOf())) await write('/api/reports', { kind, id, reason: 'spam', words: '' }, eva.cookie)
  const { id: caseId, version } = (await caseOf())!
  await write(`/api/admin/cases/${caseId}`, { deed, reason: 'Motivo', days: null, version }, admin.cookie)
}

/** Every public address under which a photo may have been cached. */
const addressesOf = (url: string): string[] => [
  url,
  ...Object.values(BOXES).flatMap(({ width, height, quality }) =>
    [1, 2].map((scale) => `/_ipx/q_${quality},s_${width * scale}x${height * scale}${url}`),
  ),
]

/** What the server says to each address of the photo, in each format that browsers name, to everyone. */
async function statuses(url: string, ...cookies: string[]): Promise<number[]> {
  const found = new Set<number>()
  for (const path of addressesOf(url))
    for (const Accept of ACCEPT_HEADERS)
      for (const Cookie of ['', ...cookies]) {
        const response = await fetch(server.url + path, { headers: { Accept, Cookie } })
        await response.arrayBuffer()
        if (response.status !== 200) assert.is(response.headers.get('cache-control'), 'no-store', path)
        found.add(response.status)
      }
  return [...found]
}

const nameOf = (url: string) => url.split('/').at(-1)!
const quarantinedPath = (url: string) => `/api/held-photos/${nameOf(url)}`
const publicPaths = (dog: Added) => [
  '/',
  '/perros',
  '/api/dogs?limit=100',
  `/api/dogs/${dog.id}`,
  dog.path,
  `/perro/${dog.id}`,
  '/razas/beagle',
  '/buscar?q=Toby',
  '/comunidad',
  `/usuario/${ana.id}`,
  '/api/map/dogs?bbox=-10,35,5,45',
  '/novedades.atom',
  '/razas/beagle/novedades.atom',
  '/sitemap/perros.xml',
  '/datos/perros.csv',
  '/datos/perros.geojson',
]

/** No page, list, feed or file that everyone may read names the photos. */
async function assertNotNamed(dog: Added, urls: readonly string[]) {
  for (const path of publicPaths(dog)) {
    const { body } = await call(server, path)
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? '')
    for (const url of urls) assert.not(text.includes(nameOf(url)), `${path} names ${url}`)
  }
  for (const kind of ['perro', 'cromo']) assert.is((await call(server, `/tarjetas/${kind}/${dog.id}.jpg`)).status, 404)
}

quarantined('every public address of a hidden dog stops answering, until it is restored', async () => {
  const dog = await add(ana.cookie)
  const urls = dog.images.map(({ url }) => url)
  // Rendered in every size and format, and in memory.
  for (const url of urls) assert.equal(await statuses(url), [200])
  for (const kind of ['perro', 'cromo']) assert.is((await call(server, `/tarjetas/${kind}/${dog.id}.jpg`)).status, 200)
  const naming = []
  for (const path of publicPaths(dog))
    if (JSON.stringify((await call(server, path)).body ?? '').includes(nameOf(urls[0]!))) naming.push(path)
  assert.ok(naming.length > 8, `what is looked through below names photos: ${naming.join(' ')}`)
  await decide('dog', dog.id, 'hide')
  for (const url of urls) {
    assert.equal(await statuses(url, ana.cookie, admin.cookie), [404], 'neither to its people there')
    assert.is((await fetch(server.url + url, { headers: { 'If-None-Match': `"${nameOf(url)}"` } })).status, 404)
  }
  await assertNotNamed(dog, urls)

  for (const who of [ana, admin]) {
    const { status, headers } = await fetch(server.url + quarantinedPath(urls[0]!), { headers: { Cookie: who.cookie } })
    assert.equal([status, headers.get('content-type'), headers.get('cache-control')], [200, 'image/jpeg', 'no-store'])
  }
  for (const cookie of [undefined, luis.cookie, eva.cookie])
    assert.is((await call(server, quarantinedPath(urls[0]!), { cookie })).status, 404)
  const page = await call(server, dog.path, { cookie: ana.cookie })
  for (const url of urls) assert.ok(page.body.includes(`src="${quarantinedPath(url)}"`), 'her own page shows it to her')
  assert.ok((await call(server, '/admin?ver=denuncias', { cookie: admin.cookie })).status === 200)

  await decide('dog', dog.id, 'restore')
  const back = (await call(server, `/api/dogs/${dog.id}`)).body.dog as Added
  assert.equal(pluck(back.images, 'url'), urls)
  for (const url of urls) {
    assert.equal(await statuses(url), [200])
    assert.is((await call(server, quarantinedPath(url), { cookie: ana.cookie })).status, 404)
  }
})

quarantined('a dog pending review has no public photo address, from its first response on', async () => {
  const added = await add(ana.cookie, { description: 'Se vende' })
  const anonymous = await add(undefined)
  for (const dog of [added, anonymous]) {
    assert.ok(dog.waits)
    assert.is(dog.photo_url, dog.images[0]!.url)
    for (const { url } of dog.images) {
      assert.is(url, quarantinedPath(url))
      assert.equal(await statuses(`/photos/${nameOf(url)}`, ana.cookie), [404])
      assert.is((await call(server, url, { cookie: admin.cookie })).status, 200)
      assert.is((await call(server, url, { cookie: ana.cookie })).status, dog === anonymous ? 404 : 200)
      assert.is((await call(server, url)).status, 404)
    }
    await assertNotNamed(
      dog,
      dog.images.map(({ url }) => url),
    )
    // Held already: the admin's decision settles the case and nothing comes back.
    await decide('dog', dog.id, 'hide')
    for (const { url } of dog.images) assert.equal(await statuses(`/photos/${nameOf(url)}`), [404])
    await decide('dog', dog.id, 'restore')
    const { images } = (await call(server, `/api/dogs/${dog.id}`)).body.dog as Added
    for (const { url } of images) assert.is((await call(server, url)).status, 200)
  }
})

quarantined('hiding one photo leaves the others, and restoring brings it back to its place', async () => {
  const dog = await add(ana.cookie)
  const [first, second] = dog.images.map(({ url }) => url) as [string, string]
  for (const url of [first, second]) assert.equal(await statuses(url), [200])
  await decide('photo', first, 'hide')
  assert.equal(await statuses(first, ana.cookie, admin.cookie), [404])
  assert.equal(await statuses(second), [200])
  assert.is((await call(server, quarantinedPath(first), { cookie: ana.cookie })).status, 200)
  assert.is((await call(server, quarantinedPath(first), { cookie: eva.cookie })).status, 404)
  await decide('photo', first, 'restore')
  const { images } = (await call(server, `/api/dogs/${dog.id}`)).body.dog as Added
  assert.equal(pluck(images, 'url'), [first, second])
  assert.equal(await statuses(first), [200])
})

quarantined('renders and cards under way during hiding leave no address that answers', async () => {
  for (let round = 0; round < 3; round++) {
    const dog = await add(ana.cookie)
    const asked = [...dog.images.flatMap(({ url }) => addressesOf(url)), `/tarjetas/perro/${dog.id}.jpg`]
    const flood = ACCEPT_HEADERS.flatMap((Accept) =>
      asked.map(async (path) => (await fetch(server.url + path, { headers: { Accept } })).arrayBuffer()),
    )
    await decide('dog', dog.id, 'hide')
    for (const { url } of dog.images) assert.is((await call(server, url)).status, 404)
    await Promise.all(flood)
    for (const { url } of dog.images) assert.equal(await statuses(url), [404])
  }
})

quarantined('files that a version before moved away are back when the server listens again', async () => {
  const dog = await add(ana.cookie)
  await decide('dog', dog.id, 'hide')
  await server.stop()
  mkdirSync(join(server.dataDir, 'photos', 'held'), { recursive: true })
  for (const { url } of dog.images) {
    renameSync(join(server.dataDir, url), join(server.dataDir, 'photos', 'held', nameOf(url)))
    await enqueue(server.db, 'photo-files', [{ key: nameOf(url), payload: 'return' }])
  }
  await server.restart()
  for (const { url } of dog.images) {
    assert.ok(existsSync(join(server.dataDir, url)))
    assert.is((await call(server, url)).status, 404)
    assert.is((await call(server, quarantinedPath(url), { cookie: ana.cookie })).status, 200)
  }
})
