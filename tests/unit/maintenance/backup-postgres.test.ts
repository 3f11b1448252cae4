import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeBackup } from '#features/maintenance/backup.server.ts'
import { readRecord } from '#features/maintenance/backup-record.server.ts'
import { dumpCommand, restoreCommand } from '#features/maintenance/postgres.server.ts'
import { restoreBackup } from '#features/maintenance/restore.server.ts'
import { operatorErrorOf } from '#tests/support/maintenance/backup-suite.ts'
import { addDogWithPhotos, hashFiles, makeDataDir, photoFiles } from '#tests/support/maintenance/data-dir.ts'
import { postgresDataSuite } from '#tests/support/maintenance/postgres-suite.ts'
import { runCommand } from '#tests/support/operator-command.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { assert, assertNone, member, rowOf, seed } from '#tests/support/suites.ts'

const backups = postgresDataSuite('unit/maintenance/backup-postgres')

backups('a backup has the photos and files that rows name, and no database', async ({ data, backUp }) => {
  const toby = await addDogWithPhotos(data, 2)
  writeFileSync(join(data.dir, 'push-keys.json'), '{}')
  writeFileSync(join(data.dir, 'photos', `${crypto.randomUUID()}.jpg`), 'nobody names it')
  const backup = await backUp()
  assert.is(backup.database, null)
  assert.is(backup.rows.dogs_all, 1)
  assert.equal(readdirSync(backup.path).toSorted(), ['SHA256SUMS', 'backup.json', 'photos', 'push-keys.json'])
  assert.equal(hashFiles(join(backup.path, 'photos')), hashFiles(photosOnly(data, toby)))
  assert.is((await readRecord(backup.path)).database, null)
})

/** The folder of photos without the file that nobody names. */
function photosOnly(data: { dir: string }, dog: Parameters<typeof photoFiles>[1]): string {
  const folder = join(data.dir, 'photos')
  const named = photoFiles(data, dog)
  for (const name of readdirSync(folder)) if (!named.includes(join(folder, name))) rmSync(join(folder, name))
  return folder
}

backups('restored, the photos are back and the rows are left to pg_restore', async ({ data, backUp, restore }) => {
  const toby = await addDogWithPhotos(data, 2)
  const before = hashFiles(join(data.dir, 'photos'))
  const backup = await backUp()
  for (const file of photoFiles(data, toby)) rmSync(file)
  await addDogWithPhotos(data, 1)
  const restored = await restore(backup.path)
  assert.equal(hashFiles(join(data.dir, 'photos')), before)
  assert.ok(existsSync(join(restored.aside!, 'photos')))
  assert.not(existsSync(join(data.dir, 'perrario.db')))
  const { count } = await data.db
    .selectFrom('dogs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  assert.is(count, 2)
})

backups('a restore is refused while a server uses the PostgreSQL, and nothing changes', async ({ data, backUp }) => {
  await addDogWithPhotos(data, 1)
  const backup = await backUp()
  await using server = freshPostgresDb()
  await server.selectFrom('totals').select('value').execute()
  const options = { dataDir: data.dir, databaseUrl: await postgresUrlOf(server), backup: backup.path }
  assert.is(
    await operatorErrorOf(restoreBackup(options)),
    'el sitio está en marcha sobre ese PostgreSQL (1 conexión): páralo en todas las máquinas.',
  )
  assertNone(readdirSync(data.dir), (name) => name.startsWith('before-'))
})

backups('a backup of a site with the other kind of database is refused', async ({ data, url, backUp }) => {
  const backup = await backUp()
  assert.match(
    await operatorErrorOf(restoreBackup({ dataDir: data.dir, backup: backup.path })),
    /es de un sitio con PostgreSQL y no tiene la base de datos: pon DATABASE_URL\. No se ha tocado nada\.$/,
  )
  const other = await makeDataDir()
  const whole = await makeBackup({ dataDir: other.dir, backupDir: other.backupDir })
  assert.match(
    await operatorErrorOf(restoreBackup({ dataDir: data.dir, databaseUrl: url, backup: whole.path })),
    /tiene una base de datos SQLite: restáurala sin DATABASE_URL y llévala a PostgreSQL con npm run move -- --to\./,
  )
  await other.dispose()
})

backups('a PostgreSQL that cannot be used is one sentence without its password', async ({ data, url }) => {
  for (const [address, text] of [
    [url.replace(':password@', ':secreta@'), /la contraseña o el usuario no son correctos\.$/],
    [
      url.replace(/test_\w+/, 'postgres'),
      /^no hay nada en ese PostgreSQL: arranca antes el sitio, o revisa DATABASE_URL\.$/,
    ],
  ] as const) {
    const options = { dataDir: data.dir, databaseUrl: address, backupDir: data.backupDir }
    const message = await operatorErrorOf(makeBackup(options))
    assert.match(message, text)
    assert.not.match(message, /secreta/)
  }
})

backups('the commands of PostgreSQL name the address without its password, as one word of a shell', () => {
  const url = "postgresql://ana:se'creta@db.example:5433/perros?sslmode=require&host=it's"
  const address = "'postgresql://ana@db.example:5433/perros?sslmode=require&host=it%27s'"
  assert.is(
    dumpCommand(url),
    `pg_dump --format=custom --no-owner --no-unlogged-table-data --file=perrario.dump ${address}`,
  )
  assert.is(
    restoreCommand(url),
    `pg_restore --clean --if-exists --no-owner --single-transaction --dbname=${address} perrario.dump`,
  )
})

backups('backup, restore, doctor and admin work by DATABASE_URL, and say what pg_dump and pg_restore do', async (t) => {
  const { data, url } = t
  const env = { DATA_DIR: data.dir, BACKUP_DIR: data.backupDir, DATABASE_URL: url }
  await addDogWithPhotos(data, 1)
  await seed(data.db, member({ alias: 'Ana' }))
  const backup = await runCommand('backup', [], env)
  assert.is(backup.code, 0, backup.output)
  assert.match(
    backup.output,
    /^perrario · en .*\nperrario · la base de datos está en PostgreSQL: cópiala antes que las fotos con pg_dump --format=custom .* 'postgres:\/\/postgres@localhost\/test_[^']+'\nperrario · copia de seguridad .*, sin la base de datos \(nuevo: .*\), comprobada en [\d,]+ s\n$/,
  )
  const nightly = await runCommand('backup', ['--nightly'], env)
  assert.match(
    nightly.output,
    /^perrario · 1 copia antigua retirada\nperrario · copia de seguridad .*, sin la base de datos \(nuevo: [^\n]*\n$/,
  )
  const doctor = await runCommand('doctor', [], env)
  assert.is(doctor.code, 0, doctor.output)
  assert.match(doctor.output, /^ok +base de datos +PostgreSQL /m)
  const verify = await runCommand('admin', ['verify', 'ana'], env)
  assert.is(verify.output, 'perrario · Ana tiene ahora la insignia de verificado.\n')
  const { verified } = await rowOf(data.db, 'profiles', { alias: 'Ana' })
  assert.is(verified, 1)
  const [name] = readdirSync(data.backupDir).filter((entry) => /^\d{4}/.test(entry))
  const restore = await runCommand('restore', [name!], env)
  assert.is(restore.code, 0, restore.output)
  assert.match(
    restore.output,
    /: 1 perro, 2 perfiles, 1 archivo\nperrario · la base de datos se restaura aparte: pg_restore --clean /,
  )
  for (const command of ['backup', 'admin verify ana', 'doctor']) {
    const [program, ...words] = command.split(' ')
    const wrong = { ...env, DATABASE_URL: url.replace(':password@', ':secreta@') }
    const { code, output } = await runCommand(program!, words, wrong)
    assert.is(code, 1, output)
    assert.match(output, /la contraseña o el usuario no son correctos\.$/m)
    assert.not.match(output, /secreta|\n +at /)
  }
})
