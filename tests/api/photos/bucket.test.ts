import { globSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type TestMember, signInMember } from '#tests/support/members.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { accountDeletionBody } from '#tests/support/seed.ts'
import { startBucket } from '#tests/support/storage/bucket.ts'
import { type Answer, answered, assert, call, detailOf, formOf, startServer, suite } from '#tests/support/suites.ts'

// The site with its photos in a bucket, which is available, unavailable and available again.

const ADMIN = 'admin@ejemplo.es'
const UNAVAILABLE_TEXT = 'Ahora mismo no llegamos a donde se guardan las fotos. Inténtalo dentro de un rato.'
const bucket = await startBucket()
const server = await startServer({ ADMIN_EMAIL: ADMIN, ...bucket.env })
const [ana, eva, admin] = [
  await signInMember(server, 'ana@ejemplo.es'),
  await signInMember(server, 'eva@ejemplo.es'),
  await signInMember(server, ADMIN),
] as [TestMember, TestMember, TestMember]

const api = suite('api/photos/bucket')
api.before.each(() => bucket.setMode('up'))
api.after(async () => {
  await server.dispose()
  await bucket.dispose()
})

interface Added {
  id: string
  path: string
  images: { url: string }[]
}

let shade = 0
async function upload(count = 2): Promise<Answer> {
  const images = []
  for (let i = 0; i < count; i++) images.push(new Blob([await photo((shade += 9) % 250, 400, 300)]))
  const form = formOf({ name: 'Toby', breed: 'Beagle', relationship: 'owner', images })
  return call(server, '/api/dogs', { method: 'POST', cookie: ana.cookie, form })
}
async function add(count = 2): Promise<Added> {
  const { status, body } = await upload(count)
  assert.is(status, 201, JSON.stringify(body))
  return body.dog
}
const remove = ({ id }: Added) => call(server, `/api/dogs/${id}`, { method: 'DELETE', cookie: ana.cookie })
const render = (url: string, modifiers = 'q_90,s_120x120') => fetch(`${server.url}/_ipx/${modifiers}${url}`)
const statusOf = async (path: string) => (await fetch(server.url + path)).status
const keysOf = async ({ id }: Pick<Added, 'id'>) => (await bucket.listKeys()).filter((key) => key.includes(id))
/** What the server's own disk has of the dog's photos: renders only. */
const filesOf = ({ id }: Pick<Added, 'id'>) => globSync(`**/${id}*`, { cwd: server.dataDir })
const readMoves = ({ id }: Pick<Added, 'id'>) =>
  server.db.selectFrom('jobs').selectAll().where('topic', '=', 'photo-files').where('key', 'like', `${id}%`).execute()

async function decide(kind: string, id: string, deed: string): Promise<Answer> {
  const find = () =>
    server.db.selectFrom('cases').select(['id', 'edited_at as version']).where('thing_id', '=', id).executeTakeFirst()
  if (!(await find())) {
    const json = { kind, id, reason: 'spam', words: '' }
    assert.ok((await call(server, '/api/reports', { method: 'POST', cookie: eva.cookie, json })).status < 300)
  }
  const { id: caseId, version } = (await find())!
  const json = { deed, reason: 'Motivo', days: null, version }
  return call(server, `/api/admin/cases/${caseId}`, { method: 'POST', cookie: admin.cookie, json })
}

async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 200 && !(await isTrue()); i++) await wait(50)
  assert.ok(await isTrue())
}

/** The store that was unavailable is asked again after five seconds. */
async function waitUntilBack(): Promise<void> {
  await bucket.setMode('up')
  await server.restart()
}

api(
  'a photo is stored in the bucket, shown on its page, and gone from the bucket once its dog is deleted',
  async () => {
    const dog = await add()
    assert.equal(await keysOf(dog), dog.images.map(({ url }) => url.slice(1)).toSorted())
    assert.equal(globSync('photos/**', { cwd: server.dataDir }), [], 'the disk has no original')
    assert.ok((await (await fetch(server.url + dog.path)).text()).includes(dog.images[0]!.url))
    for (const { url } of dog.images) {
      const stored = (await bucket.direct.get(url.slice(1)))!
      assert.equal(Buffer.from(await (await fetch(server.url + url)).arrayBuffer()), stored)
      assert.is((await render(url)).status, 200)
      assert.is((await render(url)).status, 200, 'from memory')
    }
    assert.is((await remove(dog)).status, 204)
    assert.equal(await keysOf(dog), [])
    for (const { url } of dog.images) assert.equal([await statusOf(url), (await render(url)).status], [404, 404])
    await waitUntil(async () => filesOf(dog).length === 0)
    assert.equal(await readMoves(dog), [])
  },
)

api('a hidden photo stays in the bucket, its people see it, and it is answered again', async () => {
  const dog = await add()
  const [first] = dog.images as [{ url: string }]
  const keys = await keysOf(dog)
  assert.is((await render(first.url)).status, 200)
  assert.ok((await decide('dog', dog.id, 'hide')).status < 300)
  assert.equal(await keysOf(dog), keys)
  assert.equal([await statusOf(first.url), (await render(first.url)).status], [404, 404])
  const heldPath = first.url.replace('/photos/', '/api/held-photos/')
  assert.is((await call(server, heldPath, { cookie: ana.cookie })).status, 200)
  assert.is((await call(server, heldPath, { cookie: eva.cookie })).status, 404)
  assert.ok((await decide('dog', dog.id, 'restore')).status < 300)
  for (const { url } of dog.images) assert.is((await render(url)).status, 200)
  assert.is((await remove(dog)).status, 204)
  assert.equal(await keysOf(dog), [])
})

api('while the bucket is unavailable uploads are refused whole; pages and stored renders go on', async () => {
  const dog = await add()
  const [first, second] = dog.images as [{ url: string }, { url: string }]
  assert.is((await render(first.url)).status, 200)
  // Rendered before they are requested: until then the bucket is needed.
  await waitUntil(async () => filesOf(dog).filter((path) => path.endsWith('.jpg')).length === 2)
  const before = await bucket.listKeys()
  await bucket.setMode('refused')
  for (let i = 0; i < 2; i++) {
    const { status, body, headers } = await upload(2)
    assert.equal([status, body.detail], [503, UNAVAILABLE_TEXT])
    assert.ok(Number(headers.get('retry-after')) > 0)
  }
  assert.is(await statusOf('/'), 200)
  assert.is(await statusOf(dog.path), 200)
  assert.is((await render(first.url)).status, 200)
  assert.is((await render(second.url, 'q_80,s_100x100')).status, 200, 'rendered from the original in the cache')
  await waitUntilBack()
  assert.equal(await bucket.listKeys(), before)
  assert.is((await upload(1)).status, 201)
})

api('a photo that is nowhere but in the bucket is answered 503 while it is unavailable', async () => {
  const dog = await add(1)
  await waitUntil(async () => filesOf(dog).length > 0)
  await server.stop()
  rmSync(join(server.dataDir, 'cache'), { recursive: true })
  await bucket.setMode('refused')
  await server.restart()
  const response = await answered(503, render(dog.images[0]!.url))
  assert.ok(Number(response.headers.get('retry-after')) > 0)
  assert.is(response.headers.get('cache-control'), 'no-store')
  assert.is(await statusOf(dog.path), 200)
  assert.match(server.output(), /el bucket de las fotos no responde \(ECONNREFUSED\)/)
  await waitUntilBack()
  assert.is((await render(dog.images[0]!.url)).status, 200)
})

for (const mode of ['refused', 'error', 'hanging'] as const)
  api(`a photo deleted while the bucket is ${mode} is not served, and goes once the bucket is back`, async () => {
    const dog = await add()
    const [{ url }] = dog.images as [{ url: string }]
    assert.is((await render(url)).status, 200)
    await bucket.setMode(mode)
    assert.is((await remove(dog)).status, 204)
    assert.equal([await statusOf(url), (await render(url)).status], [404, 404])
    assert.is((await readMoves(dog)).length, 2)
    assert.is((await keysOf(dog)).length, 2)
    await waitUntilBack()
    await waitUntil(async () => (await keysOf(dog)).length === 0)
    await waitUntil(async () => (await readMoves(dog)).length === 0)
    assert.equal(filesOf(dog), [])
  })

api('a dog is hidden and restored while the bucket is unavailable', async () => {
  const dog = await add()
  await bucket.setMode('refused')
  assert.ok((await decide('dog', dog.id, 'hide')).status < 300)
  for (const { url } of dog.images) assert.is(await statusOf(url), 404)
  assert.ok((await decide('dog', dog.id, 'restore')).status < 300)
  await waitUntilBack()
  for (const { url } of dog.images) assert.is(await statusOf(url), 200)
})

api('a photo that the bucket stored without an answer is removed later, and its upload refused', async () => {
  const before = await bucket.listKeys()
  await bucket.setMode('silent')
  assert.equal(detailOf(await upload(1)), [503, UNAVAILABLE_TEXT])
  const [stored, ...others] = (await bucket.listKeys()).filter((key) => !before.includes(key))
  assert.ok(stored)
  assert.equal(others, [])
  const [move] = await readMoves({ id: stored.slice('photos/'.length).slice(0, 36) })
  assert.ok(move!.run_at > Date.now() + 5 * 60_000, 'not before its answer may still come')
  await server.db.updateTable('jobs').set({ run_at: 1 }).where('topic', '=', 'photo-files').execute()
  await waitUntilBack()
  await waitUntil(async () => (await bucket.listKeys()).length === before.length)
})

api(
  'an erased account leaves nothing in the bucket or on the disk, also where the bucket was unavailable',
  async () => {
    const member = await signInMember(server, 'iris@ejemplo.es')
    const form = formOf({
      name: 'Luna',
      breed: 'Beagle',
      relationship: 'owner',
      images: [new Blob([await photo(33, 400, 300)])],
    })
    const { body } = await call(server, '/api/dogs', { method: 'POST', cookie: member.cookie, form })
    const dog = body.dog as Added
    const canary = (await bucket.direct.get(dog.images[0]!.url.slice(1)))!
    await bucket.setMode('refused')
    const json = await accountDeletionBody(server, member.cookie)
    const deletion = await call(server, '/api/account', { method: 'DELETE', cookie: member.cookie, json })
    assert.ok(deletion.status < 300, JSON.stringify(deletion.body))
    await waitUntilBack()
    await waitUntil(async () => (await keysOf(dog)).length === 0)
    for (const key of await bucket.listKeys()) assert.not(canary.equals((await bucket.direct.get(key))!), key)
    for (const path of globSync('**/*', { cwd: server.dataDir }).map((name) => join(server.dataDir, name)))
      if (statSync(path).isFile()) assert.is(readFileSync(path).indexOf(canary), -1, path)
  },
)

api('the operator’s picture of a breed comes from the bucket', async () => {
  await bucket.direct.put('razas/beagle.jpg', await photo(77, 300, 300))
  await server.restart()
  const findAddress = async () =>
    /\/retratos\/foto\/beagle[^"\s]+/.exec(await (await fetch(`${server.url}/razas/beagle`)).text())
  await waitUntil(async () => (await findAddress()) !== null)
  const picture = await fetch(server.url + (await findAddress())![0].replaceAll('&amp;', '&'))
  assert.equal([picture.status, picture.headers.get('content-type')], [200, 'image/webp'])
})
