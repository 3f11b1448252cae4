import { readdirSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { whenPrerendered, prerenderPhotos } from '#features/photos/render/prerender-queue.server.ts'
import { createPhotoHandler } from '#features/photos/render/photo-handler.server.ts'
import { preparePhoto } from '#features/photos/photos.server.ts'
import { photoSrc, photoSrcSet } from '#features/photos/photos.ts'
import { CORES, MAX_WAITING_RENDERS, renderState } from '#features/photos/render/sharp.server.ts'
import { PhotosOfDog } from '#tests/support/photos/photos-of-dog.ts'
import { quarteredPicture } from '#tests/support/photos/test-pictures.ts'
import { assert, folderSuite, type FolderWorld } from '#tests/support/suites.ts'

const CHROME = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'
const photo = await preparePhoto(await quarteredPicture(800, 600).jpeg().toBuffer())

interface Context extends FolderWorld {
  photos: PhotosOfDog
  server: Server
  url: string
  /** Renders that the network may still have made. */
  quota: number
  ask: (path: string, headers?: Record<string, string>) => Promise<Response>
}
const photos = folderSuite<Context>('unit/photos/delivery')
photos.before.each(async (t) => {
  t.photos = await PhotosOfDog.open(t.dir)
  t.url = await t.photos.store(photo)
  t.quota = 1000
  const deliver = createPhotoHandler(t.dir, async (network) => network === '192.0.2.1' && t.quota-- > 0)
  const next = (res: ServerResponse) => () => void res.writeHead(418).end()
  t.server = createServer((req, res) => deliver(req, res, '192.0.2.1', next(res))).listen(0, '127.0.0.1')
  await once(t.server, 'listening')
  const { port } = t.server.address() as { port: number }
  t.ask = (path, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: CHROME, ...headers } })
})
photos.after.each(async (t) => {
  t.server.closeAllConnections()
  t.server.close()
  await whenPrerendered()
  await t.photos.close()
})

const cacheOf = ({ dir, url }: Context) => readdirSync(join(dir, 'cache', url)).toSorted()

/** Keeps every core busy until the answer is called. */
async function occupyCores(): Promise<() => Promise<void>> {
  let free = () => {}
  const until = new Promise<void>((end) => (free = end))
  const all = Array.from({ length: CORES }, () => renderState.limiter.run(() => until))
  for (let i = 0; i < MAX_WAITING_RENDERS; i++) all.push(renderState.limiter.run(async () => {}))
  await new Promise((done) => setImmediate(done))
  return async () => {
    free()
    await Promise.all(all)
  }
}

photos('fifty simultaneous requests for a render cause one rendering', async ({ ask, url }) => {
  const before = renderState.renderedCount
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(photoSrc(url, 'card'))))
  assert.ok(answers.every(({ status, headers }) => status === 200 && headers.get('content-type') === 'image/avif'))
  assert.is(renderState.renderedCount - before, 1)
  await ask(photoSrc(url, 'card'))
  assert.is(renderState.renderedCount - before, 1, 'and it stays')
})

photos('when too many wait the photo itself is served, once, and other requests are answered', async ({ ask, url }) => {
  const ready = await (await ask(photoSrc(url, 'thumb'))).arrayBuffer()
  const free = await occupyCores()
  const before = renderState.renderedCount
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(photoSrc(url, 'card'))))
  for (const answer of answers) {
    const { status, headers } = answer
    assert.equal(
      [status, headers.get('content-type'), headers.get('cache-control'), headers.get('etag')],
      [200, 'image/jpeg', 'no-store', null],
    )
    assert.equal(Buffer.from(await answer.arrayBuffer()), photo.data)
  }
  assert.is(renderState.limiter.waiting, MAX_WAITING_RENDERS, 'the line has not grown')
  assert.equal(await (await ask(photoSrc(url, 'thumb'))).arrayBuffer(), ready, 'what was made is there')
  await free()
  assert.is(renderState.renderedCount, before, 'nothing of it was drawn')
  assert.is((await ask(photoSrc(url, 'card'))).headers.get('content-type'), 'image/avif')
})

photos('a network without quota gets photos themselves for renders that are not stored, and all others', async (t) => {
  t.quota = 1
  const made = await (await t.ask(photoSrc(t.url, 'card'))).arrayBuffer()
  const before = renderState.renderedCount
  for (const box of ['thumb', 'carousel', 'dogThumb'] as const) {
    const answer = await t.ask(photoSrc(t.url, box))
    assert.equal(
      [answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')],
      [200, 'image/jpeg', 'no-store'],
    )
    assert.equal(Buffer.from(await answer.arrayBuffer()), photo.data)
  }
  assert.is(renderState.renderedCount, before)
  assert.equal(await (await t.ask(photoSrc(t.url, 'card'))).arrayBuffer(), made)
  assert.is(t.quota, -3, 'stored renders take nothing')
  t.quota = 1
  assert.is((await t.ask(photoSrc(t.url, 'thumb'))).headers.get('content-type'), 'image/avif')
})

photos('a picture that the browser has is neither read nor rendered', async (t) => {
  const before = renderState.renderedCount
  const etag = `"${t.url.slice('/photos/'.length)}-card-1x-avif"`
  const { status, headers } = await t.ask(photoSrc(t.url, 'card'), { 'if-none-match': etag })
  assert.equal([status, headers.get('etag'), renderState.renderedCount - before], [304, etag, 0])
  await t.photos.remove(t.url)
  assert.is((await t.ask(photoSrc(t.url, 'card'), { 'if-none-match': etag })).status, 404)
})

photos('a deleted photo is gone from memory, too', async ({ ask, photos: own, url }) => {
  assert.equal([(await ask(photoSrc(url, 'card'))).status, (await ask(url)).status], [200, 200])
  await own.remove(url)
  assert.equal([(await ask(photoSrc(url, 'card'))).status, (await ask(url)).status], [404, 404])
})

photos('after an upload a list finds its renders, made one at a time', async (t) => {
  const second = await t.photos.store(photo)
  const before = renderState.renderedCount
  prerenderPhotos(t.dir, [{ url: t.url }, { url: second }, { url: '/retratos/beagle.svg' }])
  await whenPrerendered()
  const card = ['card@1x.avif', 'card@1x.webp', 'card@2x.avif', 'card@2x.webp']
  assert.equal(cacheOf(t), ['card@1x.avif', 'card@1x.webp', 'card@2x.avif', 'card@2x.webp', 'carousel@1x.avif'])
  assert.equal(readdirSync(join(t.dir, 'cache', second)).toSorted(), card)
  assert.is(renderState.renderedCount - before, 9)
  // What the card's markup asks for is what was made.
  for (const path of [
    photoSrc(t.url, 'card'),
    ...photoSrcSet(t.url, 'card')!
      .split(', ')
      .map((s) => s.split(' ')[0]!),
  ])
    for (const accept of [CHROME, 'image/webp,*/*']) await (await t.ask(path, { accept })).arrayBuffer()
  await (await t.ask(photoSrc(t.url, 'carousel'))).arrayBuffer()
  assert.is(renderState.renderedCount - before, 9)
})

photos('nothing is prerendered while a request waits, and a large batch is not queued', async (t) => {
  const free = await occupyCores()
  prerenderPhotos(
    t.dir,
    Array.from({ length: 5000 }, () => ({ url: t.url })),
  )
  await new Promise((done) => setTimeout(done, 20))
  assert.throws(() => cacheOf(t), /ENOENT/)
  // The one that a visitor asks for comes before the rest.
  await free()
  assert.is((await t.ask(photoSrc(t.url, 'card'))).status, 200)
  await whenPrerendered()
  assert.is(cacheOf(t).length, 5)
})

photos('a photo deleted before its turn is skipped', async (t) => {
  const free = await occupyCores()
  prerenderPhotos(t.dir, [{ url: t.url }])
  await t.photos.remove(t.url)
  await free()
  await whenPrerendered()
  assert.throws(() => cacheOf(t), /ENOENT/)
})

photos('a render in flight when the photo is hidden is neither sent nor stored', async (t) => {
  let free = () => {}
  const until = new Promise<void>((end) => (free = end))
  const busy = Promise.all(Array.from({ length: CORES }, () => renderState.limiter.run(() => until)))
  const asked = [photoSrc(t.url, 'card'), photoSrc(t.url, 'carousel')].map((path) => t.ask(path))
  while (renderState.limiter.waiting < 2) await new Promise((done) => setTimeout(done, 5))
  await t.photos.hide(t.url)
  free()
  await busy
  for (const answer of await Promise.all(asked))
    assert.equal([answer.status, answer.headers.get('cache-control')], [404, 'no-store'])
  assert.throws(() => cacheOf(t), /ENOENT/)
})

photos('whenever a photo is hidden, its render is no longer available', async (t) => {
  // Hidden while it is drawn, while it is written, while it is sent.
  for (let wait = 0; wait < 40; wait += 4) {
    const url = await t.photos.store(photo)
    const asked = t.ask(photoSrc(url, 'dogThumb'))
    await new Promise((done) => setTimeout(done, wait))
    await t.photos.hide(url)
    await (await asked).arrayBuffer()
    assert.equal([(await t.ask(photoSrc(url, 'dogThumb'))).status, (await t.ask(url)).status], [404, 404])
  }
})

photos('a hidden photo has no public address, neither by name nor by folder', async (t) => {
  const name = t.url.slice('/photos/'.length)
  for (const path of [t.url, photoSrc(t.url, 'card')]) assert.is((await t.ask(path)).status, 200)
  await t.photos.hide(t.url)
  const folder = [`/photos/held/${name}`, `/photos/held%2f${name}`, `/photos/./held/${name}`, `/photos//held/${name}`]
  const renders = folder.map((path) => `/_ipx/s_300x300,q_95,f_auto${path}`)
  for (const path of [t.url, photoSrc(t.url, 'card'), ...folder, ...renders])
    for (const etag of [`"${name}"`, '"x"']) assert.is((await t.ask(path, { 'if-none-match': etag })).status, 404, path)
})

photos('leaves other addresses to other steps', async ({ ask }) => {
  assert.equal([(await ask('/perros')).status, (await ask('/_ipx/')).status], [418, 404])
})
