import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { sqliteOf } from '#db/client.ts'
import { BACKED_UP, NOT_BACKED_UP } from '#features/maintenance/files.server.ts'
import { isHalfRestored, withLockedBackups } from '#features/maintenance/lock.server.ts'
import { listBackups } from '#features/maintenance/backup-record.server.ts'
import { restoreBackup } from '#features/maintenance/restore.server.ts'
import { addDog } from '#features/dogs/write/add.server.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { deleteDog } from '#features/dogs/write/edit.server.ts'
import { backupSuite, DAY_MS, NOW, operatorErrorOf } from '#tests/support/maintenance/backup-suite.ts'
import { addDogWithPhotos, hashFiles, photoFiles, countRows } from '#tests/support/maintenance/data-dir.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { listFiles, readSource } from '#tests/support/sources.ts'
import { assert, assertNone, member, seed } from '#tests/support/suites.ts'

const backups = backupSuite('unit/maintenance/backup')

backups(
  'a drill fills, backs up, changes and restores: the same rows and photos as before',
  async ({ data, backUp, restore }) => {
    const toby = await addDogWithPhotos(data, 3, { name: 'Toby' })
    await addDogWithPhotos(data, 1, { name: 'Luna' })
    mkdirSync(join(data.dir, 'razas'))
    writeFileSync(join(data.dir, 'razas', 'beagle.jpg'), 'la foto del operador')
    writeFileSync(join(data.dir, 'push-keys.json'), '{"claves": 1}', { mode: 0o600 })
    writeFileSync(join(data.dir, 'dogs-geo.json'), '{}')
    mkdirSync(join(data.dir, 'cache'))
    writeFileSync(join(data.dir, 'cache', 'x.avif'), 'de usar y tirar')
    const before = { rows: await countRows(data.db), photos: hashFiles(join(data.dir, 'photos')) }

    const backup = await backUp()
    assert.is(backup.name, '2026-11-23T03-00-00Z')
    assert.equal(readdirSync(backup.path).toSorted(), [
      'SHA256SUMS',
      'backup.json',
      'dogs-geo.json',
      'perrario.db.gz',
      'photos',
      'push-keys.json',
      'razas',
    ])
    assert.equal([backup.rows.dogs_all, backup.rows.dog_images_all, backup.missing], [2, 4, []])
    // Anyone can check it without us.
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: backup.path })

    // Everything changes, and a photo, the keys and the operator's photo are lost.
    await data.db.deleteFrom('dogs_all').where('id', '=', toby.id).execute()
    for (const file of photoFiles(data, toby)) rmSync(file)
    await addDogWithPhotos(data, 2, { name: 'Nuevo' })
    writeFileSync(join(data.dir, 'push-keys.json'), 'otras')
    rmSync(join(data.dir, 'razas'), { recursive: true })
    assert.not.equal(await countRows(data.db), before.rows)
    await data.close()

    const restored = await restore(backup.path)
    await data.open()
    assert.equal(await countRows(data.db), before.rows)
    assert.equal(hashFiles(join(data.dir, 'photos')), before.photos)
    assert.is(readFileSync(join(data.dir, 'push-keys.json'), 'utf8'), '{"claves": 1}')
    assert.is(statSync(join(data.dir, 'push-keys.json')).mode & 0o777, 0o600)
    assert.is(readFileSync(join(data.dir, 'razas', 'beagle.jpg'), 'utf8'), 'la foto del operador')
    assert.is(sqliteOf(data.db).pragma('integrity_check', { simple: true }), 'ok')
    assert.ok(existsSync(join(data.dir, 'cache', 'x.avif')), 'files that backups leave out stay')
    // The previous data is complete in a folder of its own.
    assert.is(restored.aside, join(data.dir, 'before-restore-2026-11-23T03-00-00Z'))
    assert.is(readFileSync(join(restored.aside!, 'push-keys.json'), 'utf8'), 'otras')
    assert.is(readdirSync(join(restored.aside!, 'photos')).length, 3)
    assert.ok(statSync(join(restored.aside!, 'perrario.db')).size > 4096)
    assert.not.ok(isHalfRestored(data.dir))
    assertNone(readdirSync(data.dir), (name) => name.startsWith('.restore-'))
  },
)

backups('a second backup adds only new files, and is complete by itself', async ({ data, backUp, restore }) => {
  const toby = await addDogWithPhotos(data, 3)
  const first = await backUp()
  assert.is(first.added.files, 4)
  assert.is(first.added.bytes, first.bytes)
  const luna = await addDogWithPhotos(data, 1)
  const second = await backUp(NOW + DAY_MS)
  assert.is(second.added.files, 2, 'the new photo and the database')
  assert.is(second.files, 5)
  const file = photoFiles(data, toby)[0]!.split('/').at(-1)!
  const inode = (backup: { path: string }) => statSync(join(backup.path, 'photos', file)).ino
  assert.is(inode(second), inode(first), 'stored once')
  assert.is.not(inode(second), statSync(join(data.dir, 'photos', file)).ino, 'and not shared with the data')
  // The second restores without the first.
  rmSync(first.path, { recursive: true })
  const before = hashFiles(join(data.dir, 'photos'))
  for (const path of [...photoFiles(data, toby), ...photoFiles(data, luna)]) rmSync(path)
  await data.close()
  await restore(second.path)
  assert.equal(hashFiles(join(data.dir, 'photos')), before)
})

backups(
  'unreferenced photos are not backed up, and deleted photos are not in later backups',
  async ({ data, backUp }) => {
    const toby = await addDogWithPhotos(data, 2)
    writeFileSync(join(data.dir, 'photos', 'suelta.jpg'), 'x')
    const first = await backUp()
    assert.is(readdirSync(join(first.path, 'photos')).length, 2)
    await data.db.deleteFrom('dogs_all').where('id', '=', toby.id).execute()
    const second = await backUp(NOW + DAY_MS)
    assert.is(readdirSync(join(second.path, 'photos')).length, 0)
  },
)

backups('a backup made during writes has all photos that its database references', async ({ data, backUp }) => {
  const [ana] = await seed(data.db, member())
  const input = dogSchema.parse({ name: 'Toby', breed: 'beagle', relationship: 'owner' })
  const add = async (shade: number) =>
    (
      await addDog(data.db, data.dir, {
        input,
        uploads: [await photo(shade), await photo(255 - shade)],
        userId: ana.id,
      })
    ).dog.id
  const dogs: string[] = []
  for (let i = 0; i < 20; i++) dogs.push(await add(i))
  const stopping = new AbortController()
  let changes = 0
  const traffic = (async () => {
    while (!stopping.signal.aborted) {
      dogs.push(await add(changes++ % 250))
      await deleteDog(data.db, data.dir, ana, dogs.shift()!)
    }
  })()
  for (let i = 0; i < 5; i++) {
    const backup = await backUp(NOW + i * DAY_MS)
    assert.equal(backup.missing, [])
    assert.is(readdirSync(join(backup.path, 'photos')).length, backup.rows.dog_images_all)
    const copy = await restoreBackup({ dataDir: join(data.dir, '..', `copia-${i}`), backup: backup.path })
    assert.is(copy.rows.dog_images_all, backup.rows.dog_images_all)
  }
  stopping.abort()
  await traffic
  assert.ok(changes > 5, 'dogs were added and deleted meanwhile')
})

backups('a photo lost before is recorded as missing, and the backup is made', async ({ data, backUp, restore }) => {
  const toby = await addDogWithPhotos(data, 2)
  rmSync(photoFiles(data, toby)[0]!)
  truncateSync(photoFiles(data, toby)[1]!, 0)
  const backup = await backUp()
  assert.equal(
    backup.missing,
    photoFiles(data, toby)
      .map((file) => file.split('/').at(-1))
      .toSorted(),
  )
  await data.close()
  assert.is((await restore(backup.path)).rows.dogs_all, 1)
})

backups('a damaged file of the last backup is copied from the data', async ({ data, backUp }) => {
  const toby = await addDogWithPhotos(data, 2)
  const first = await backUp()
  const name = photoFiles(data, toby)[0]!.split('/').at(-1)!
  const backedUp = join(first.path, 'photos', name)
  const bytes = readFileSync(backedUp)
  bytes[200]! ^= 1
  writeFileSync(backedUp, bytes)
  const second = await backUp(NOW + DAY_MS)
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: second.path })
  assert.equal(readFileSync(join(second.path, 'photos', name)), readFileSync(photoFiles(data, toby)[0]!))
})

backups('one backup runs at a time, and the remains of a crash are deleted', async ({ data, backUp }) => {
  mkdirSync(join(data.backupDir, '2026-11-22T03-00-00Z.part', 'photos'), { recursive: true })
  assert.equal(await listBackups(data.backupDir), [])
  await withLockedBackups(data.backupDir, async () =>
    assert.is(await operatorErrorOf(backUp()), 'ya hay otra copia en marcha.'),
  )
  await backUp()
  await backUp()
  assert.equal(await listBackups(data.backupDir), ['2026-11-23T03-00-00Z', '2026-11-23T03-00-01Z'])
  assert.not.ok(existsSync(join(data.backupDir, '2026-11-22T03-00-00Z.part')))
})

backups('a damaged database is not backed up', async ({ data, backUp }) => {
  for (let i = 0; i < 40; i++) await addDogWithPhotos(data, 1)
  await data.close()
  const file = join(data.dir, 'perrario.db')
  const bytes = readFileSync(file)
  bytes.fill(0x5a, 4096 * 12, 4096 * 14)
  writeFileSync(file, bytes)
  assert.match(await operatorErrorOf(backUp()), /dañada/)
  assert.equal(await listBackups(data.backupDir), [])
  assertNone(readdirSync(data.backupDir), (name) => name.endsWith('.part'))
})

backups('everything in DATA_DIR is either backed up or left out on purpose', () => {
  const known = [...BACKED_UP, ...NOT_BACKED_UP, 'perrario.db']
  const found = new Set<string>()
  for (const path of listFiles(['src', 'scripts'], ['.ts']))
    for (const [, name] of readSource(path).matchAll(/join\(\w*[dD]ata_?Dir, '([\w-][\w.-]*)'/g)) found.add(name!)
  // Keys of the store: `photos/${name}`, 'razas/'.
  for (const path of listFiles(['src/features'], ['.server.ts']).filter((path) =>
    /photoKey|[pP]hotoStore/.test(readSource(path)),
  ))
    for (const [, name] of readSource(path).matchAll(/[`']([a-z-]+)\/(?:\$\{|'|[a-z]+\/\$\{)/g)) found.add(name!)
  assert.ok(found.size > 5)
  assert.equal(
    [...found].filter((name) => !known.includes(name)),
    [],
    'add it to BACKED_UP or NOT_BACKED_UP',
  )
})
