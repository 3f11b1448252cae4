import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pruneBucketBackups } from '#features/maintenance/backup-bucket.server.ts'
import { deleteExpiredBackups, makeBackup } from '#features/maintenance/backup.server.ts'
import { checkDataDir } from '#features/maintenance/doctor/check-data-dir.server.ts'
import { runChecks, runRepairs } from '#features/maintenance/doctor/doctor.server.ts'
import { restoreBackup } from '#features/maintenance/restore.server.ts'
import { enqueue } from '#features/outbox/jobs.server.ts'
import { BucketPhotoStore } from '#features/storage/bucket-store.server.ts'
import { LocalPhotoStore } from '#features/storage/local-store.server.ts'
import { usePhotoStore } from '#features/storage/photo-store.server.ts'
import { HOUR_MS } from '#lib/time.ts'
import { DAY_MS, NOW, operatorErrorOf } from '#tests/support/maintenance/backup-suite.ts'
import { addDogWithPhotos, type DataDir, makeDataDir, photoFiles } from '#tests/support/maintenance/data-dir.ts'
import { findProblems } from '#tests/support/maintenance/doctor-suite.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { startBucket, type TestBucket } from '#tests/support/storage/bucket.ts'
import { assert, assertNone, type Dog, suite } from '#tests/support/suites.ts'

interface World {
  bucket: TestBucket
  data: DataDir
  backUp: (now?: number) => ReturnType<typeof makeBackup>
  restore: (backup: string) => ReturnType<typeof restoreBackup>
  check: () => ReturnType<typeof runChecks>
  repair: () => Promise<string[]>
  /** Adds a dog whose photos are in the bucket. */
  addDog: (photos?: number) => Promise<Dog>
}

const RETENTION = { daily: 1, weekly: 0, monthly: 0 }

const backups = suite<World>('unit/maintenance/bucket-backups')
backups.before.each(async (t) => {
  t.bucket = await startBucket()
  t.data = await makeDataDir()
  const { dir: dataDir, backupDir } = t.data
  usePhotoStore(dataDir, new BucketPhotoStore(t.bucket.settings))
  t.backUp = (now = NOW) => makeBackup({ dataDir, backupDir, now })
  t.restore = (backup) => restoreBackup({ dataDir, backup, now: NOW })
  t.check = () => runChecks({ dataDir, backupDir, backups: null })
  t.repair = () => runRepairs({ dataDir, backupDir })
  t.addDog = async (photos = 1) => {
    const dog = await addDogWithPhotos(t.data, photos)
    for (const file of photoFiles(t.data, dog)) {
      await t.bucket.direct.put(file.slice(dataDir.length + 1), readFileSync(file))
      rmSync(file)
    }
    return dog
  }
})
backups.after.each(async (t) => {
  await t.data.dispose()
  await t.bucket.dispose()
})

const keysOf = ({ images }: Dog) => images.map(({ url }) => url.slice(1)).toSorted()
const countPool = async (bucket: TestBucket) =>
  (await bucket.listKeys()).filter((key) => key.startsWith('backups/photos/')).length

backups('photos are copied within the bucket, and a restore puts back those that are gone', async (t) => {
  const { bucket, data } = t
  const dog = await t.addDog(2)
  await bucket.direct.put('razas/beagle.jpg', await photo(50))
  const backup = await t.backUp()
  assert.equal(backup.bucket?.files, 2)
  assert.equal(readdirSync(backup.path).toSorted(), [
    'SHA256SUMS',
    'SHA256SUMS.bucket',
    'backup.json',
    'perrario.db.gz',
    'razas',
  ])
  const before = await Promise.all(keysOf(dog).map((key) => bucket.direct.get(key)))
  const other = await t.addDog()
  await bucket.direct.delete(...keysOf(dog), 'razas/beagle.jpg')
  await data.close()
  await t.restore(backup.path)
  await data.open()
  assert.equal(await Promise.all(keysOf(dog).map((key) => bucket.direct.get(key))), before)
  assert.ok(await bucket.direct.size('razas/beagle.jpg'))
  assert.ok(await bucket.direct.size(keysOf(other)[0]!), 'a photo from after the backup is not deleted')
  assert.not(existsSync(join(data.dir, 'photos', keysOf(dog)[0]!.slice('photos/'.length))))
})

backups('the next backup reads only new photos', async (t) => {
  await t.addDog(3)
  await t.backUp()
  await t.addDog()
  const second = await t.backUp(NOW + DAY_MS)
  assert.is(second.bucket?.files, 4)
  // The database, the list and one photo.
  assert.is(second.added.files, 3)
  assert.is(await countPool(t.bucket), 4)
})

backups('a photo whose last backup has expired leaves the bucket, others stay', async (t) => {
  const [gone, stays] = [await t.addDog(), await t.addDog()]
  await t.backUp(NOW - 2 * DAY_MS)
  await t.data.db.deleteFrom('dogs_all').where('id', '=', gone.id).execute()
  await t.bucket.direct.delete(...keysOf(gone))
  await t.backUp()
  assert.is(await countPool(t.bucket), 2)
  await deleteExpiredBackups(t.data.backupDir, RETENTION)
  const inAWeek = Date.now() + 7 * DAY_MS
  assert.is(await pruneBucketBackups(t.bucket.direct, RETENTION, inAWeek), 1)
  assert.equal(
    (await t.bucket.listKeys()).filter((key) => key.startsWith('backups/photos/')),
    keysOf(stays).map((key) => `backups/${key}`),
  )
  assert.is(await pruneBucketBackups(t.bucket.direct, RETENTION, inAWeek), 0)
})

backups('copies of a backup that another machine has just begun are not pruned', async (t) => {
  await t.bucket.direct.put('backups/photos/new.jpg', await photo())
  assert.is(await pruneBucketBackups(t.bucket.direct, RETENTION), 0)
  assert.is(await countPool(t.bucket), 1)
})

backups('a restore without the copy of a missing photo is refused, and the database stays', async (t) => {
  const dog = await t.addDog()
  const backup = await t.backUp()
  await t.bucket.direct.delete(...keysOf(dog), ...keysOf(dog).map((key) => `backups/${key}`))
  await t.data.db.deleteFrom('dogs_all').where('id', '=', dog.id).execute()
  await t.data.close()
  assert.match(await operatorErrorOf(t.restore(backup.path)), /está incompleta: falta photos\//)
  await t.data.open()
  assert.equal(await t.data.db.selectFrom('dogs').select('id').execute(), [])
})

backups('a backup from the local folder fills the bucket', async (t) => {
  const local = await makeDataDir()
  const dog = await addDogWithPhotos(local, 2)
  const backup = await makeBackup({ dataDir: local.dir, backupDir: local.backupDir, now: NOW })
  await t.data.close()
  await t.restore(backup.path)
  await t.data.open()
  for (const key of keysOf(dog)) assert.equal(await t.bucket.direct.get(key), readFileSync(join(local.dir, key)))
  await local.dispose()
})

backups('a backup whose photos are in a bucket is not restored without it', async (t) => {
  const backup = await t.backUp()
  const local = await makeDataDir()
  await local.close()
  assert.match(
    await operatorErrorOf(restoreBackup({ dataDir: local.dir, backup: backup.path, now: NOW })),
    /tiene sus fotos en un bucket: pon los valores S3_/,
  )
  await local.dispose()
})

backups('a backup while the bucket is unavailable is refused with the reason, and leaves nothing behind', async (t) => {
  await t.addDog()
  await t.bucket.setMode('refused')
  assert.match(await operatorErrorOf(t.backUp()), /el bucket de las fotos no responde \(ECONNREFUSED\)/)
  assertNone(readdirSync(t.data.backupDir), (name) => name.startsWith('20'))
})

backups('the doctor finds and repairs missing, empty, misplaced and unnamed photos in the bucket', async (t) => {
  const { bucket } = t
  const dogs = [await t.addDog(), await t.addDog(), await t.addDog()] as const
  await t.backUp()
  assertNone(findProblems(await t.check()), (line) => /foto|resto/.test(line))
  const [missing, empty, misplaced] = dogs.map((dog) => keysOf(dog)[0]!) as [string, string, string]
  await bucket.direct.delete(missing)
  await bucket.direct.put(empty, Buffer.alloc(0))
  await bucket.direct.move(misplaced, misplaced.replace('photos/', 'photos/held/'))
  const problems = findProblems(await t.check()).join('\n')
  assert.match(problems, /error fotos: faltan 1 de 3 en el bucket/)
  assert.match(problems, /error fotos vacías: 1 archivo/)
  assert.match(problems, /aviso fotos fuera de sitio: 1 foto/)
  await t.repair()
  assertNone(findProblems(await t.check()), (line) => /foto|resto/.test(line))
  for (const key of [missing, empty, misplaced]) assert.ok(await bucket.direct.size(key), key)
})

backups('the doctor counts the photos that wait for the bucket', async (t) => {
  const dog = await t.addDog(2)
  const [photoOfDog] = keysOf(dog) as [string]
  const name = photoOfDog.slice('photos/'.length)
  await enqueue(t.data.db, 'photo-files', [{ key: name, payload: 'return' }])
  const problems = findProblems(await t.check())
  assert.match(problems.join('\n'), /aviso fotos por borrar: 1 foto espera a que el bucket deje/)
})

backups('a bucket whose photos no row names is an error of the settings, and no repair moves them', async (t) => {
  const keys = Array.from({ length: 12 }, (_, i) => `photos/${crypto.randomUUID()}_17000000000${10 + i}_aaaaaaaa.jpg`)
  for (const key of keys) await t.bucket.direct.put(key, Buffer.from('una foto'))
  const later = Date.now() + 2 * HOUR_MS
  assert.match(
    findProblems(await runChecks({ dataDir: t.data.dir, backupDir: t.data.backupDir, backups: null, now: later })).join(
      '\n',
    ),
    /error fotos sueltas: la base de datos no nombra ninguna foto del bucket, y 12 no las nombra nadie: revisa DATABASE_URL, DATA_DIR y S3_BUCKET, que parecen de otro sitio/,
  )
  assert.equal(await runRepairs({ dataDir: t.data.dir, backupDir: t.data.backupDir, now: later }), [])
  for (const key of keys) assert.ok(await t.bucket.direct.size(key), key)
})

backups('a full disk is an error where it has the database, and a warning where it is a cache', async (t) => {
  // No disk has as much.
  const storage = { siteUploadBytesPerDay: 0, minFreeBytes: 1e18 }
  const checkDisk = async (hasDatabase: boolean) => {
    const findings = await checkDataDir(t.data.dir, { isServed: false, storage, hasDatabase })
    const { level, detail } = findings.find(({ what }) => what === 'disco')!
    return `${level} ${detail.replace(/^[^,:]+(?:,\d+ \w+)?/, '…')}`
  }
  assert.is(await checkDisk(true), 'error …, menos que MIN_FREE_MB: el sitio no guarda nada nuevo')
  assert.is(await checkDisk(false), 'aviso …: esta máquina no guarda miniaturas, y las hace cada vez')
})

backups('the doctor reports the photos that a move to the bucket has left in the folder', async (t) => {
  const { dir } = t.data
  const findLeft = async () => (await t.check()).filter(({ what }) => what === 'fotos anteriores')
  await t.addDog(2)
  assert.equal(await findLeft(), [])
  await addDogWithPhotos(t.data, 2)
  const local = new LocalPhotoStore(dir)
  await local.put('lost/1.jpg', Buffer.from('una foto'))
  const [left, ...others] = await findLeft()
  assert.equal(others, [])
  assert.is(left!.level, 'aviso')
  assert.is(
    left!.detail,
    `3 fotos siguen en ${join(dir, 'photos')} y ${join(dir, 'lost')}: el sitio ya usa las del bucket, y ahí queda lo que los miembros borran desde entonces; bórralas cuando no las necesites`,
  )
  usePhotoStore(dir, local)
  assert.equal(await findLeft(), [], 'the site uses them')
})

backups('the doctor says that the bucket is unavailable', async (t) => {
  await t.bucket.setMode('refused')
  assert.match(
    findProblems(await t.check()).join('\n'),
    /error fotos: no se pueden mirar: el bucket de las fotos no responde \(ECONNREFUSED\)/,
  )
})
