import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { migrate, openDatabase } from '#db/client.ts'
import { makeBackup } from '#features/maintenance/backup.server.ts'
import {
  beginSwap,
  isHalfRestored,
  isDataInUse,
  lockDataShared,
  lockDataExclusive,
} from '#features/maintenance/lock.server.ts'
import { restoreBackup } from '#features/maintenance/restore.server.ts'
import { EARLIER_VERSIONS, unpackEarlierFiles } from '#tests/support/earlier-databases/unpack.ts'
import { backupSuite, NOW, operatorErrorOf } from '#tests/support/maintenance/backup-suite.ts'
import { addDogWithPhotos, hashFiles, photoFiles, countRows } from '#tests/support/maintenance/data-dir.ts'
import { assert, assertNone } from '#tests/support/suites.ts'

const restores = backupSuite('unit/maintenance/restore')

restores('a damaged backup is refused and nothing changes', async ({ data, backUp, restore }) => {
  const toby = await addDogWithPhotos(data, 2)
  const sound = await backUp()
  await data.close()
  const before = hashFiles(data.dir)
  const damages: [string, (path: string) => void, RegExp][] = [
    [
      'a photo',
      (path) => appendFileSync(join(path, 'photos', photoFiles(data, toby)[0]!.split('/').at(-1)!), 'x'),
      /está dañada: photos\/.*\. No se ha tocado nada\.$/,
    ],
    [
      'a photo gone',
      (path) => rmSync(join(path, 'photos'), { recursive: true }),
      /está dañada: photos\/.* y 1 más\. No se ha tocado nada\.$/,
    ],
    [
      'the database',
      (path) => truncateSync(join(path, 'perrario.db.gz'), 500),
      /está dañada: perrario\.db\.gz\. No se ha tocado nada\.$/,
    ],
    [
      'the sums',
      (path) => appendFileSync(join(path, 'SHA256SUMS'), '\n'),
      /está dañada: SHA256SUMS no es el que se escribió\.$/,
    ],
    [
      'the record',
      (path) => writeFileSync(join(path, 'backup.json'), '{}'),
      /está dañada: backup\.json no se entiende\.$/,
    ],
    ['no record', (path) => rmSync(join(path, 'backup.json')), /no hay ninguna copia \(falta backup\.json\)\.$/],
  ]
  for (const [what, damageBackup, expected] of damages) {
    const path = join(data.backupDir, 'otra')
    execFileSync('cp', ['-r', sound.path, path])
    damageBackup(path)
    assert.match(await operatorErrorOf(restore(path)), expected, what)
    const after = hashFiles(data.dir)
    delete after['.in-use']
    assert.equal(after, before, what)
    rmSync(path, { recursive: true })
  }
})

restores('a backup of a newer version is refused', async ({ data, backUp, restore }) => {
  const backup = await backUp()
  await data.close()
  const file = join(backup.path, 'backup.json')
  const record = JSON.parse(readFileSync(file, 'utf8')) as { migrations: string[] }
  record.migrations.push('2099-01-01-futuro')
  writeFileSync(file, JSON.stringify(record))
  assert.is(
    await operatorErrorOf(restore(backup.path)),
    'la copia es de una versión más nueva del programa (2099-01-01-futuro): actualízalo antes de restaurar.',
  )
})

restores('a backup with a migration under its earlier name is restored', async ({ data, backUp, restore }) => {
  const backup = await backUp()
  await data.close()
  const file = join(backup.path, 'backup.json')
  const record = JSON.parse(readFileSync(file, 'utf8')) as { migrations: string[] }
  record.migrations[0] = '2026-11-20-tables'
  writeFileSync(file, JSON.stringify(record))
  await restore(backup.path)
})

restores('nothing is restored while the data is in use', async ({ data, backUp, restore }) => {
  await addDogWithPhotos(data)
  const backup = await backUp()
  const refusal = 'el sitio está en marcha sobre estos datos: páralo antes de restaurar.'
  // Only the database is open: npm run admin, or a server whose lock was lost.
  assert.is(await operatorErrorOf(restore(backup.path)), refusal)
  assert.is(readdirSync(data.dir).filter((name) => name.startsWith('before-restore')).length, 0)
  await data.close()
  const release = lockDataExclusive(data.dir)!
  assert.is(await operatorErrorOf(restore(backup.path)), refusal)
  assert.not.ok(lockDataShared(data.dir, 0), 'and no server starts meanwhile')
  release()
  assert.not.ok(isDataInUse(data.dir))
  assert.ok(lockDataShared(data.dir, 0))
  assert.ok(isDataInUse(data.dir))
  assert.is(await operatorErrorOf(restore(backup.path)), refusal)
})

restores('a restore works on an empty machine', async ({ data, backUp }) => {
  await addDogWithPhotos(data, 2)
  const backup = await backUp()
  const dataDir = join(data.dir, '..', 'nueva')
  const restored = await restoreBackup({ dataDir, backup: backup.path, now: NOW })
  assert.is(restored.aside, null)
  assert.equal(hashFiles(join(dataDir, 'photos')), hashFiles(join(data.dir, 'photos')))
})

restores('a restore replaces an unreadable database', async ({ data, backUp, restore }) => {
  await addDogWithPhotos(data, 1)
  const backup = await backUp()
  await data.close()
  writeFileSync(join(data.dir, 'perrario.db'), 'esto ya no es una base de datos '.repeat(500))
  writeFileSync(join(data.dir, 'perrario.db-wal'), 'ni esto un registro')
  const { aside } = await restore(backup.path)
  await data.open()
  assert.is((await countRows(data.db)).dogs_all, 1)
  assert.is(readFileSync(join(aside!, 'perrario.db-wal'), 'utf8'), 'ni esto un registro')
})

restores('an interrupted restore can be repeated', async ({ data, backUp, restore }) => {
  await addDogWithPhotos(data, 1)
  const backup = await backUp()
  await data.close()
  // Killed between two renames.
  beginSwap(data.dir, backup.path)
  rmSync(join(data.dir, 'photos'), { recursive: true })
  mkdirSync(join(data.dir, '.restore-2026-11-22T00-00-00Z', 'photos'), { recursive: true })
  await restore(backup.path)
  assert.not.ok(isHalfRestored(data.dir))
  assertNone(readdirSync(data.dir), (name) => name.startsWith('.restore'))
  assert.is(readdirSync(join(data.dir, 'photos')).length, 1)
})

restores(
  'a backup of an earlier version is migrated, or refused with the data as it was',
  async ({ data, restore }) => {
    await addDogWithPhotos(data, 1)
    await data.close()
    const before = hashFiles(data.dir)
    const earlier = join(data.dir, '..', 'earlier')
    const backUpEarlier = (now: number) => makeBackup({ dataDir: earlier, backupDir: data.backupDir, now })
    for (const version of EARLIER_VERSIONS) {
      rmSync(earlier, { recursive: true, force: true })
      unpackEarlierFiles(version, earlier)
      const sound = await backUpEarlier(NOW)
      const file = join(data.dir, '..', version, 'perrario.db')
      await restoreBackup({ dataDir: join(file, '..'), backup: sound.path })
      const restored = openDatabase(file)
      assert.equal(await migrate(restored), [], version)
      await restored.destroy()
      const broken = openDatabase(join(earlier, 'perrario.db'))
      await sql`DROP TABLE profiles`.execute(broken)
      await broken.destroy()
      assert.match(await operatorErrorOf(restore((await backUpEarlier(NOW)).path)), /^no se pudo restaurar: /, version)
      const after = hashFiles(data.dir)
      delete after['.in-use']
      assert.equal(after, before, version)
    }
  },
)
