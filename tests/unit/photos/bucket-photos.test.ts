import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findLastChange } from '#db/table-changes.ts'
import { operatorPhotos, rescanOperatorPhotos } from '#features/breeds/operator-photos.server.ts'
import { enqueue } from '#features/outbox/jobs.server.ts'
import { applyAllPhotoMoves, planRemoval } from '#features/photos/planned-moves.server.ts'
import { computeStoredBlur } from '#features/photos/blur.server.ts'
import { readOriginal } from '#features/photos/original.server.ts'
import { sweepRenders } from '#features/photos/render/render-sweep.server.ts'
import { isPhotoPublic, publishPhotosByRows } from '#features/photos/visibility.server.ts'
import { BucketPhotoStore } from '#features/storage/bucket-store.server.ts'
import { usePhotoStore } from '#features/storage/photo-store.server.ts'
import { runEvery } from '#lib/jobs.ts'
import { addDogWithPhotos, type DataDir, makeDataDir } from '#tests/support/maintenance/data-dir.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { startBucket, type TestBucket } from '#tests/support/storage/bucket.ts'
import { assert, captureConsole, countJobs, refusal, suite } from '#tests/support/suites.ts'

interface World {
  bucket: TestBucket
  data: DataDir
  said: Disposable
}

const photos = suite<World>('unit/photos/bucket-photos')
photos.before.each(async (t) => {
  t.bucket = await startBucket()
  t.data = await makeDataDir()
  usePhotoStore(t.data.dir, new BucketPhotoStore(t.bucket.settings, { timeoutMs: 500 }))
  publishPhotosByRows(t.data.dir, t.data.db)
  t.said = captureConsole()
})
photos.after.each(async (t) => {
  t.said[Symbol.dispose]()
  await t.data.dispose()
  await t.bucket.dispose()
})

/** A dog whose photos are in the bucket, and their names. */
async function addDog({ data, bucket }: World, count = 1) {
  const dog = await addDogWithPhotos(data, count)
  const names = dog.images.map(({ url }) => url.slice('/photos/'.length))
  for (const name of names) await bucket.direct.put(`photos/${name}`, await photo())
  return { dog, names, urls: dog.images.map(({ url }) => url) }
}

photos('rows decide whether a photo is public, also while the bucket is unavailable', async (t) => {
  const { dog, names } = await addDog(t)
  await t.bucket.setMode('hanging')
  assert.is(await isPhotoPublic(t.data.dir, names[0]!), true)
  assert.is(await isPhotoPublic(t.data.dir, names[0]!.replace(/_\w{8}\./, '_zzzzzzzz.')), false)
  await t.data.db.deleteFrom('dogs_all').where('id', '=', dog.id).execute()
  assert.is(await isPhotoPublic(t.data.dir, names[0]!), false)
})

photos('an original is read from the bucket once, and from the cache while it is unavailable', async (t) => {
  const { names } = await addDog(t)
  const before = t.bucket.countRequests()
  const [first, second] = await Promise.all([readOriginal(t.data.dir, names[0]!), readOriginal(t.data.dir, names[0]!)])
  assert.equal(first, await photo())
  assert.equal(second, first)
  assert.is(t.bucket.countRequests() - before, 1)
  await t.bucket.setMode('refused')
  assert.equal(await readOriginal(t.data.dir, names[0]!), first)
  const { names: others } = await addDog(t)
  assert.is((await refusal(readOriginal(t.data.dir, others[0]!)))[0], 503)
})

photos('an original that was deleted while it was read is not cached', async (t) => {
  const { dog, names } = await addDog(t)
  await t.data.db.deleteFrom('dogs_all').where('id', '=', dog.id).execute()
  assert.ok(await readOriginal(t.data.dir, names[0]!))
  assert.not(existsSync(join(t.data.dir, 'cache/photos', names[0]!)))
})

photos('a blur is not given up while the bucket is unavailable', async (t) => {
  const { urls } = await addDog(t)
  await t.bucket.setMode('refused')
  assert.is((await refusal(computeStoredBlur(t.data.dir, urls[0]!)))[0], 503)
  await t.bucket.setMode('up')
  assert.ok(await computeStoredBlur(t.data.dir, urls[0]!))
})

photos('renders of photos that another machine deleted are swept, others stay', async (t) => {
  const [gone, stays] = [await addDog(t), await addDog(t)]
  const renders = [gone, stays].map(({ names }) => join(t.data.dir, 'cache/photos', names[0]!, 'card@1x.webp'))
  for (const file of renders) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'render')
  }
  await t.data.db.deleteFrom('dogs_all').where('id', '=', gone.dog.id).execute()
  assert.is(await sweepRenders(t.data.db, t.data.dir), 1)
  assert.equal(
    renders.map((file) => existsSync(file)),
    [false, true],
  )
})

photos(
  'many removals wait for a bucket that is unavailable without a request for each, and happen once it is back',
  async (t) => {
    const { db, dir } = t.data
    const { dog, urls } = await addDog(t, 30)
    await planRemoval(db, { dogId: dog.id, urls })
    await t.bucket.setMode('hanging')
    const before = t.bucket.countRequests()
    await applyAllPhotoMoves(db, dir)
    assert.is(await countJobs(db, 'photo-files'), 30)
    assert.ok(t.bucket.countRequests() - before <= 16, 'eight photos at once, two keys each')
    await t.bucket.setMode('up')
    usePhotoStore(dir, new BucketPhotoStore(t.bucket.settings))
    const rounds = runEvery({ intervalMs: 20, delayMs: 0 }, '', () =>
      applyAllPhotoMoves(db, dir, { now: Date.now() + 60_000 }),
    )
    for (let i = 0; i < 200 && (await t.bucket.listKeys()).length > 0; i++) await wait(20)
    await rounds.close()
    assert.equal([await t.bucket.listKeys(), await countJobs(db, 'photo-files')], [[], 0])
  },
)

photos('a start leaves moves alone that another machine has planned for later', async (t) => {
  const { db, dir } = t.data
  const { names } = await addDog(t)
  const runAt = Date.now() + 60_000
  await enqueue(db, 'photo-files', [{ key: names[0]!, payload: 'remove', runAt }])
  await applyAllPhotoMoves(db, dir, { isStart: true })
  assert.equal(await t.bucket.listKeys(), [`photos/${names[0]}`])
})

photos('a file that a version before moved away returns, and is read from where it is until then', async (t) => {
  const { db, dir } = t.data
  const { names } = await addDog(t)
  const [key, former] = [`photos/${names[0]}`, `photos/held/${names[0]}`]
  const bytes = await readOriginal(dir, names[0]!)
  await t.bucket.direct.move(key, former)
  rmSync(join(dir, 'cache'), { recursive: true, force: true })
  assert.equal(await readOriginal(dir, names[0]!), bytes)
  await enqueue(db, 'photo-files', [{ key: names[0]!, payload: 'return' }])
  await applyAllPhotoMoves(db, dir)
  assert.equal(await t.bucket.listKeys(), [key])
  assert.is(await countJobs(db, 'photo-files'), 0)
})

photos('the operator’s photos are listed again, and the last list stays while the bucket is unavailable', async (t) => {
  const { dir } = t.data
  await t.bucket.direct.put('razas/beagle.jpg', await photo())
  await t.bucket.direct.put('razas/beagle.png', await photo())
  await t.bucket.direct.put('razas/Notas.txt', Buffer.from('no picture'))
  const waitForSize = async (size: number) => {
    for (let i = 0; i < 200 && (await operatorPhotos(dir)).size !== size; i++) await wait(20)
    assert.is((await operatorPhotos(dir)).size, size)
  }
  await waitForSize(1)
  assert.is((await operatorPhotos(dir)).get('beagle')?.key, 'razas/beagle.jpg')
  const lastChange = findLastChange()
  const scan = runEvery({ intervalMs: 20, delayMs: 0 }, '', () => rescanOperatorPhotos(dir))
  await t.bucket.setMode('refused')
  // A failed request is repeated after a tenth of a second.
  await wait(500)
  assert.is((await operatorPhotos(dir)).size, 1)
  await t.bucket.setMode('up')
  usePhotoStore(dir, new BucketPhotoStore(t.bucket.settings))
  await t.bucket.direct.put('razas/galgo.webp', await photo())
  await waitForSize(2)
  await wait(100)
  assert.is(findLastChange() - lastChange, 1, 'the same list again is no change')
  await scan.close()
})
