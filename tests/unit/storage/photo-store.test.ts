import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { BucketPhotoStore } from '#features/storage/bucket-store.server.ts'
import { LocalPhotoStore } from '#features/storage/local-store.server.ts'
import type { PhotoStore } from '#features/storage/photo-store.server.ts'
import { startBucket } from '#tests/support/storage/bucket.ts'
import { assert, suite } from '#tests/support/suites.ts'

// The same of every store.

interface OpenStore {
  store: PhotoStore
  dispose: () => Promise<void> | void
}

async function openBucketStore(): Promise<OpenStore> {
  const bucket = await startBucket()
  return { store: new BucketPhotoStore(bucket.settings, { keysPerPage: 2 }), dispose: bucket.dispose }
}

function openLocalStore(): OpenStore {
  const dir = mkdtempSync(join(tmpdir(), 'perrario-store-'))
  return { store: new LocalPhotoStore(dir), dispose: () => rmSync(dir, { recursive: true }) }
}

const photo = Buffer.from([0xff, 0xd8, 0, 1, 2, 3, 0xff, 0xd9])
const other = Buffer.from('another photo')

async function listKeys(store: PhotoStore, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list(prefix)) keys.push(key)
  return keys.toSorted()
}

const local = suite<OpenStore>('unit/storage/photo-store: local folder')
const bucket = suite<OpenStore>('unit/storage/photo-store: bucket')

for (const [tests, open] of [
  [local, openLocalStore],
  [bucket, openBucketStore],
] as const) {
  tests.before.each(async (t) => {
    Object.assign(t, await open())
  })
  tests.after.each((t) => t.dispose())

  tests('a stored photo is read back, byte for byte', async ({ store }) => {
    await store.put('photos/a.jpg', photo)
    assert.equal(await store.get('photos/a.jpg'), photo)
    assert.is(await store.size('photos/a.jpg'), photo.length)
    assert.is(await store.isBlank('photos/a.jpg'), false)
    assert.equal(await buffer((await store.stream('photos/a.jpg'))!), photo)
  })

  tests('a part of a larger buffer is stored alone', async ({ store }) => {
    await store.put('photos/a.jpg', Buffer.concat([other, photo]).subarray(other.length))
    assert.equal(await store.get('photos/a.jpg'), photo)
  })

  tests('what is not there is null, blank, and no error to delete', async ({ store }) => {
    assert.is(await store.get('photos/a.jpg'), null)
    assert.is(await store.size('photos/a.jpg'), null)
    assert.is(await store.stream('photos/a.jpg'), null)
    assert.is(await store.isBlank('photos/a.jpg'), true)
    await store.delete('photos/a.jpg', 'photos/held/a.jpg')
    assert.is(await store.move('photos/a.jpg', 'photos/held/a.jpg'), false)
    assert.is(await store.copy('photos/a.jpg', 'photos/b.jpg'), false)
    assert.equal(await listKeys(store, 'photos/'), [])
  })

  tests('an empty file is blank', async ({ store }) => {
    await store.put('photos/a.jpg', Buffer.alloc(0))
    assert.equal([await store.size('photos/a.jpg'), await store.isBlank('photos/a.jpg')], [0, true])
  })

  tests('deleted photos are gone, others stay', async ({ store }) => {
    for (const key of ['photos/a.jpg', 'photos/b.jpg', 'photos/held/a.jpg']) await store.put(key, photo)
    await store.delete('photos/a.jpg', 'photos/held/a.jpg')
    assert.equal(await listKeys(store, 'photos/'), ['photos/b.jpg'])
  })

  tests('a moved photo is at its new key only', async ({ store }) => {
    await store.put('photos/a.jpg', photo)
    assert.is(await store.move('photos/a.jpg', 'photos/held/a.jpg'), true)
    assert.equal(await listKeys(store, 'photos/'), ['photos/held/a.jpg'])
    assert.equal(await store.get('photos/held/a.jpg'), photo)
  })

  tests('a move that was interrupted between its halves is completed by another', async ({ store }) => {
    await store.put('photos/a.jpg', photo)
    await store.copy('photos/a.jpg', 'photos/b.jpg')
    assert.is(await store.move('photos/a.jpg', 'photos/b.jpg'), true)
    assert.equal(await listKeys(store, 'photos/'), ['photos/b.jpg'])
    assert.equal(await store.get('photos/b.jpg'), photo)
  })

  tests('a copied photo is at both keys', async ({ store }) => {
    await store.put('photos/held/a.jpg', photo)
    assert.is(await store.copy('photos/held/a.jpg', 'photos/b.jpg'), true)
    await store.delete('photos/held/a.jpg')
    assert.equal(await store.get('photos/b.jpg'), photo)
  })

  tests('a damaged photo is replaced', async ({ store }) => {
    await store.put('photos/a.jpg', Buffer.alloc(0))
    await store.put('photos/a.jpg', photo)
    assert.equal(await store.get('photos/a.jpg'), photo)
  })

  tests('a list has every file below its prefix, with size and time, over several pages', async ({ store }) => {
    const before = Date.now() - 2000
    const keys = ['photos/a.jpg', 'photos/b.jpg', 'photos/c.jpg', 'photos/held/a.jpg', 'photos/held/b.jpg']
    for (const key of [...keys, 'razas/beagle.webp']) await store.put(key, key.includes('held') ? other : photo)
    const found = []
    for await (const file of store.list('photos/')) found.push(file)
    assert.equal(found.map(({ key }) => key).toSorted(), keys)
    for (const { key, bytes, modifiedAt } of found) {
      assert.is(bytes, key.includes('held') ? other.length : photo.length)
      assert.ok(modifiedAt > before && modifiedAt < Date.now() + 2000, `${modifiedAt}`)
    }
    assert.equal(await listKeys(store, 'razas/'), ['razas/beagle.webp'])
  })
}
