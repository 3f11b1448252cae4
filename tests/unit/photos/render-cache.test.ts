import { existsSync, readdirSync, statfsSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { type Box, BOXES } from '#features/photos/photos.ts'
import { preparePhoto } from '#features/photos/photos.server.ts'
import { prerenderPhotos, whenPrerendered } from '#features/photos/render/prerender-queue.server.ts'
import { limitRenderCache, pruneRenderCache } from '#features/photos/render/render-cache.server.ts'
import { type Format, renderPhoto } from '#features/photos/render/render.server.ts'
import { renderState } from '#features/photos/render/sharp.server.ts'
import { PhotosOfDog } from '#tests/support/photos/photos-of-dog.ts'
import { noisePhoto } from '#tests/support/photos/sample-photos.ts'
import { assert, folderSuite, type FolderWorld } from '#tests/support/suites.ts'

const DAY_MS = 86_400_000
const photo = await preparePhoto(await noisePhoto(200, 160))

interface Context extends FolderWorld {
  photos: PhotosOfDog
  limit: (limits: { renderCacheBytes?: number; minFreeBytes?: number }) => void
}
const cache = folderSuite<Context>('unit/photos/render-cache')
cache.before.each(async (t) => {
  t.photos = await PhotosOfDog.open(t.dir)
  t.limit = (limits) => limitRenderCache({ renderCacheBytes: 0, minFreeBytes: 0, ...limits })
})
cache.after.each(async (t) => {
  limitRenderCache()
  await whenPrerendered()
  await t.photos.close()
})

const RENDERS = (Object.keys(BOXES) as Box[]).flatMap((box) =>
  ([1, 2] as const).flatMap((scale) =>
    (['avif', 'webp', 'jpeg'] as const).map((format) => [{ box, scale }, format] as const),
  ),
)

const addPhoto = async ({ photos }: Context) => (await photos.store(photo)).slice('/photos/'.length)

const files = ({ dir }: Context) =>
  readdirSync(join(dir, 'cache'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
const bytesOf = (t: Context) => files(t).reduce((sum, file) => sum + Math.ceil(statSync(file).size / 4096) * 4096, 0)

const freeBytes = ({ dir }: Context) => {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize
}

cache('below the reserve of the disk and half as much, renders are sent and none is stored', async (t) => {
  const name = await addPhoto(t)
  t.limit({ minFreeBytes: freeBytes(t) / 1.25 })
  for (const [render, format] of RENDERS) assert.ok(await renderPhoto(t.dir, name, render, format))
  const { renderedCount } = renderState
  prerenderPhotos(t.dir, [{ url: `/photos/${name}` }])
  await whenPrerendered()
  assert.is(renderState.renderedCount, renderedCount, 'nothing is made ahead that cannot be stored')
  assert.not(existsSync(join(t.dir, 'cache')))
  t.limit({ minFreeBytes: freeBytes(t) / 1.75 })
  await renderPhoto(t.dir, name, { box: 'card', scale: 1 }, 'avif')
  assert.is(files(t).length, 1)
})

cache('the renders of all photos take no more than their limit, whatever is requested', async (t) => {
  const renderCacheBytes = 600_000
  t.limit({ renderCacheBytes })
  for (let n = 0; n < 2; n++) {
    const name = await addPhoto(t)
    for (const [render, format] of RENDERS) {
      assert.ok(await renderPhoto(t.dir, name, render, format))
      assert.ok(bytesOf(t) <= renderCacheBytes)
    }
  }
  assert.ok(bytesOf(t) > 0.9 * renderCacheBytes, String(bytesOf(t)))
  await pruneRenderCache(t.dir)
  assert.ok(bytesOf(t) <= 0.8 * renderCacheBytes && bytesOf(t) > 0.5 * renderCacheBytes, String(bytesOf(t)))
  const name = await addPhoto(t)
  const before = bytesOf(t)
  await renderPhoto(t.dir, name, { box: 'card', scale: 1 }, 'avif')
  assert.ok(bytesOf(t) > before, 'there is space again')
})

cache('what other processes stored counts from the first measurement', async (t) => {
  const name = await addPhoto(t)
  for (const [render, format] of RENDERS) await renderPhoto(t.dir, name, render, format)
  const stored = bytesOf(t)
  t.limit({ renderCacheBytes: stored / 2 })
  await pruneRenderCache(t.dir)
  assert.ok(bytesOf(t) <= stored * 0.4 && bytesOf(t) > 0, `${bytesOf(t)} of ${stored}`)
})

cache('the least recently used renders go first, with the folders that they leave empty', async (t) => {
  const [old, recent, used] = [await addPhoto(t), await addPhoto(t), await addPhoto(t)]
  const render = (name: string) => renderPhoto(t.dir, name, { box: 'breed', scale: 1 }, 'jpeg' satisfies Format)
  const fileOf = (name: string) => join(t.dir, 'cache', 'photos', name, 'breed@1x.jpeg')
  const setAge = (name: string, days: number) => {
    const time = Date.now() / 1000 - (days * DAY_MS) / 1000
    utimesSync(fileOf(name), time, time)
  }
  for (const name of [old, recent, used]) await render(name)
  setAge(old, 10)
  setAge(recent, 5)
  setAge(used, 20)
  // Read from the disk: used today, whatever the file system notes of reads.
  await render(used)
  const end = Date.now() + 5000
  while (Date.now() - statSync(fileOf(used)).mtimeMs > DAY_MS && Date.now() < end)
    await new Promise((done) => setTimeout(done, 5))
  t.limit({ renderCacheBytes: bytesOf(t) })
  await pruneRenderCache(t.dir)
  assert.equal(readdirSync(join(t.dir, 'cache', 'photos')).toSorted(), [recent, used].toSorted())
})

cache('where the disk runs low, renders make way for what cannot be made again', async (t) => {
  const name = await addPhoto(t)
  for (const [render, format] of RENDERS) await renderPhoto(t.dir, name, render, format)
  t.limit({ minFreeBytes: freeBytes(t) / 1.75 })
  await pruneRenderCache(t.dir)
  assert.ok(files(t).length > 0, 'enough is free')
  t.limit({ minFreeBytes: freeBytes(t) / 1.25 })
  await pruneRenderCache(t.dir)
  assert.equal(files(t), [])
})

cache('without limits everything stays', async (t) => {
  t.limit({})
  const name = await addPhoto(t)
  for (const [render, format] of RENDERS) await renderPhoto(t.dir, name, render, format)
  const before = files(t)
  await pruneRenderCache(t.dir)
  assert.equal(files(t), before)
})
