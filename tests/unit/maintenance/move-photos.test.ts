import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { movePhotos } from '#features/maintenance/move/move-photos.server.ts'
import { LocalPhotoStore } from '#features/storage/local-store.server.ts'
import type { PhotoStore } from '#features/storage/photo-store.server.ts'
import { runCommand } from '#tests/support/operator-command.ts'
import { startBucket, type TestBucket } from '#tests/support/storage/bucket.ts'
import { assert, folderSuite } from '#tests/support/suites.ts'

const move = folderSuite<{ folder: string; back: string; source: PhotoStore; bucket: TestBucket }>(
  'unit/maintenance/move-photos',
)

const KEYS = ['photos/a/1.jpg', 'photos/a/2.jpg', 'photos/held/b/3.jpg', 'razas/beagle.jpg']
const contentOf = (key: string) => Buffer.from(`photo ${key} ${'x'.repeat(key.length * 100)}`)

move.before.each(async (t) => {
  Object.assign(t, { folder: mkdtempSync(join(t.dir, 'a-')), back: mkdtempSync(join(t.dir, 'b-')) })
  t.source = new LocalPhotoStore(t.folder)
  for (const key of KEYS) await t.source.put(key, contentOf(key))
  t.bucket = await startBucket()
})
move.after.each(({ bucket }) => bucket.dispose())

move('moved to a bucket and back, every photo is the same', async ({ source, folder, bucket, back }) => {
  const seen: number[] = []
  const there = await movePhotos(source, bucket.direct, { localDir: folder, onProgress: ({ done }) => seen.push(done) })
  assert.equal(seen, [1, 2, 3, 4])
  assert.equal(await bucket.listKeys(), KEYS)
  const home = new LocalPhotoStore(back)
  const andBack = await movePhotos(bucket.direct, home, { localDir: back })
  assert.equal(andBack, there)
  assert.is(there.files, 4)
  for (const key of KEYS) assert.equal(await home.get(key), contentOf(key))
})

move(
  'a move that was broken off goes on, and repairs a damaged copy of the same size',
  async ({ source, folder, bucket }) => {
    await bucket.direct.put(KEYS[0]!, contentOf(KEYS[0]!))
    await bucket.direct.put(KEYS[1]!, Buffer.alloc(contentOf(KEYS[1]!).length))
    await movePhotos(source, bucket.direct, { localDir: folder })
    for (const key of KEYS) assert.equal(await bucket.direct.get(key), contentOf(key))
  },
)

move('half-written files are neither moved nor in the way', async ({ source, folder, back, bucket }) => {
  const part = `${KEYS[0]}.1234abcd.part`
  const home = new LocalPhotoStore(back)
  for (const store of [source, home]) await store.put(part, Buffer.from('half'))
  await movePhotos(source, bucket.direct, { localDir: folder })
  assert.equal(await bucket.listKeys(), KEYS)
  await movePhotos(bucket.direct, home, { localDir: back })
  assert.ok(existsSync(join(folder, part)))
  for (const key of KEYS) assert.equal(await home.get(key), contentOf(key))
})

move('a target with other photos is refused and left as it is: the line names its folders', async (t) => {
  const { source, folder, back, bucket } = t
  const refusalOf = (move: Promise<unknown>) =>
    move.then(
      () => null,
      (reason: Error) => reason.message,
    )
  await bucket.direct.put('photos/z/9.jpg', Buffer.from('another'))
  await bucket.direct.put('lost/9.jpg', Buffer.from('another'))
  assert.is(
    await refusalOf(movePhotos(source, bucket.direct, { localDir: folder })),
    'el destino tiene fotos que el origen no tiene (lost/9.jpg): aparta photos/ y lost/ del bucket, o bórralo si no lo necesitas, y repite la orden.',
  )
  assert.equal(await bucket.listKeys(), ['lost/9.jpg', 'photos/z/9.jpg'])

  // As in the ordinary way back: deleted while the site used the bucket.
  const home = new LocalPhotoStore(back)
  await home.put('photos/y/8.jpg', Buffer.from('deleted meanwhile'))
  const bringBack = () => movePhotos(bucket.direct, home, { localDir: back })
  assert.is(
    await refusalOf(bringBack()),
    `el destino tiene fotos que el origen no tiene (photos/y/8.jpg): aparta ${join(back, 'photos/')}, o bórralo si no lo necesitas, y repite la orden.`,
  )
  assert.equal(await home.get('photos/z/9.jpg'), null)
  renameSync(join(back, 'photos'), join(back, 'photos-before'))
  assert.is((await bringBack()).files, 2)
})

move('a full disk is one line, and the same command goes on', async ({ bucket, source, folder, back }) => {
  const key = 'photos/4.jpg'
  await source.put(key, contentOf(key))
  await movePhotos(source, bucket.direct, { localDir: folder })
  const flag = join(folder, 'full')
  writeFileSync(flag, '')
  const env = { DATA_DIR: back, FULL_AT: flag, ...bucket.env }
  const run = () => runCommand('move', ['--from-bucket'], env, ['--import', './tests/support/faults/disk-full-at.ts'])
  const { code, output } = await run()
  assert.is(code, 1, output)
  assert.match(
    output,
    /^(?: *\d+ % .*\n)*perrario · la mudanza se ha cortado: no queda sitio en el disco \(ENOSPC\)\. La misma orden sigue donde estaba\.\n$/,
  )
  rmSync(flag)
  const again = await run()
  assert.is(again.code, 0, again.output)
  assert.equal(await new LocalPhotoStore(back).get(key), contentOf(key))
})
