import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkPhotos, toPhotoFindings } from '#features/maintenance/doctor/check-photos.server.ts'
import { repairPhotos } from '#features/maintenance/doctor/repair-photos.server.ts'
import {
  applyAllPhotoMoves,
  applyPhotoMoves,
  planLaterRemoval,
  planRemoval,
} from '#features/photos/planned-moves.server.ts'
import { type DataDir, addDogWithPhotos, makeDataDir, photoFiles } from '#tests/support/maintenance/data-dir.ts'
import { assert, countJobs, suite } from '#tests/support/suites.ts'

const moves = suite<{ data: DataDir }>('unit/photos/file-moves')
moves.before.each(async (t) => {
  t.data = await makeDataDir()
})
moves.after.each(({ data }) => data.dispose())

moves(
  'moves leave a name alone that a store may still be writing, until its time is over or nothing runs',
  async ({ data }) => {
    const { db, dir } = data
    const dog = await addDogWithPhotos(data, 2)
    const files = photoFiles(data, dog)
    const of = (at: number) => ({ dogId: dog.id, urls: [dog.images[at]!.url] })
    const now = Date.now()
    await planLaterRemoval(db, of(0), now)
    await applyPhotoMoves(db, dir, dog.id)
    await applyAllPhotoMoves(db, dir, { now: now + 9 * 60_000 })
    assert.ok(existsSync(files[0]!))
    await applyAllPhotoMoves(db, dir, { now: now + 11 * 60_000 })
    assert.not(existsSync(files[0]!))
    await planLaterRemoval(db, of(1), now)
    await applyAllPhotoMoves(db, dir, { isStart: true })
    assert.not(existsSync(files[1]!))
  },
)

moves('removals affect no other dog', async ({ data }) => {
  const { db, dir } = data
  const [dog, other] = [await addDogWithPhotos(data), await addDogWithPhotos(data)]
  const photos = { dogId: dog.id, urls: [dog.images[0]!.url, other.images[0]!.url] }
  await planRemoval(db, photos)
  assert.is(await countJobs(db, 'photo-files'), 1)
  await planRemoval(db, { dogId: other.id, urls: [other.images[0]!.url] })
  await applyPhotoMoves(db, dir, dog.id)
  assert.not(existsSync(photoFiles(data, dog)[0]!))
  assert.ok(existsSync(photoFiles(data, other)[0]!))
  await applyPhotoMoves(db, dir, null)
  assert.is(await countJobs(db, 'photo-files'), 1)
})

moves('doctor reports and completes remaining moves', async ({ data }) => {
  const { db, dir, backupDir } = data
  const dog = await addDogWithPhotos(data, 2)
  const render = join(dir, 'cache', dog.images[0]!.url, 'card@1x.avif')
  mkdirSync(dirname(render), { recursive: true })
  writeFileSync(render, 'render')
  await db.deleteFrom('dogs_all').where('id', '=', dog.id).execute()
  await planRemoval(db, { dogId: dog.id, urls: dog.images.map(({ url }) => url) })
  assert.is((await checkPhotos(dir, db, { isServed: true })).deleted.length, 0, 'the server does it')
  const found = await checkPhotos(dir, db, { isServed: false })
  assert.equal([found.deleted.length, found.orphans], [2, []])
  assert.ok(toPhotoFindings(found).some(({ what, level }) => what === 'fotos por borrar' && level === 'aviso'))
  const done = await repairPhotos(dir, backupDir, db, found)
  assert.ok(done.includes('2 fotos ya borradas, quitadas del disco'), done.join())
  for (const file of [...photoFiles(data, dog), render, join(dir, 'lost')]) assert.not(existsSync(file), file)
})
