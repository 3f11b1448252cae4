import { chmodSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteOf } from '#db/client.ts'
import { makeBackup } from '#features/maintenance/backup.server.ts'
import { writeOutcome } from '#features/maintenance/backup-record.server.ts'
import { type Finding, worstLevel } from '#features/maintenance/doctor/finding.ts'
import { beginSwap, lockDataExclusive } from '#features/maintenance/lock.server.ts'
import { DAY_MS } from '#tests/support/maintenance/backup-suite.ts'
import { addDogWithPhotos } from '#tests/support/maintenance/data-dir.ts'
import { assertCountsAreRepaired, doctorSuite, findProblems } from '#tests/support/maintenance/doctor-suite.ts'
import { assert, insert, member, seed } from '#tests/support/suites.ts'

const doctor = doctorSuite('unit/maintenance/doctor')

doctor('finds no fault in intact data with a fresh backup', async ({ data, check, repair }) => {
  await addDogWithPhotos(data, 3)
  await makeBackup({ dataDir: data.dir, backupDir: data.backupDir })
  const findings = await check()
  assert.equal(findProblems(findings), [])
  assert.equal(
    findings.map(({ what }) => what),
    [
      'sitio',
      'base de datos',
      'referencias',
      'migraciones',
      'recuentos',
      'casos',
      'borrados',
      'fotos',
      'fotos sueltas',
      'restos',
      'permisos',
      'disco',
      'registro',
      'restauración',
      'copias',
    ],
  )
  assert.equal(await repair(), [])
})

doctor('wrong counts are reported and recounted, each of them', assertCountsAreRepaired)

doctor('accounts whose deletion is overdue are reported', async ({ data, check }) => {
  await makeBackup({ dataDir: data.dir, backupDir: data.backupDir })
  const [ana, luis] = await seed(data.db, member(), member())
  const deletion = { dogs: 'keep', state: 'waiting', requested_at: 1 } as const
  await insert(data.db, 'account_deletions', [
    { ...deletion, user_id: ana.id, due_at: Date.now() - 2 * 3_600_000 },
    { ...deletion, user_id: luis.id, due_at: Date.now() - 60_000 },
  ])
  assert.equal(findProblems(await check()), [
    'aviso borrados: 1 cuenta debería estar borrada ya: arranca el servidor y mira su registro',
  ])
})

doctor('open cases about what is deleted are reported, and closed', async ({ data, check, repair }) => {
  await makeBackup({ dataDir: data.dir, backupDir: data.backupDir })
  const toby = await addDogWithPhotos(data, 1)
  const insert = data.db.insertInto('cases')
  for (const thing_id of ['gone', toby.id])
    await insert
      .values({ id: `c-${thing_id}`, kind: 'dog', thing_id, cause: 'words', created_at: 1, latest_at: 1 })
      .execute()
  assert.equal(findProblems(await check()), ['aviso casos: 1 abierto sobre lo que ya no está'])
  assert.equal(await repair(), ['1 caso cerrado sobre lo que ya no está'])
  assert.equal(findProblems(await check()), [])
  assert.equal(await data.db.selectFrom('cases').select('thing_id').execute(), [{ thing_id: toby.id }])
})

doctor('a damaged database, and a file that is not a database, are reported', async ({ data, check, repair }) => {
  for (let i = 0; i < 40; i++) await addDogWithPhotos(data, 1)
  await data.close()
  const file = join(data.dir, 'perrario.db')
  const bytes = readFileSync(file)
  bytes.fill(0x5a, 4096 * 12, 4096 * 14)
  writeFileSync(file, bytes)
  assert.match(
    findProblems(await check())[0]!,
    /^error base de datos: (está dañada|no se puede leer) \(.*\): restaura la última copia con npm run restore$/,
  )
  writeFileSync(file, 'esto ya no es una base de datos '.repeat(500))
  assert.is(
    findProblems(await check())[0],
    'error base de datos: no se puede leer (el archivo no es una base de datos (SQLITE_NOTADB)): restaura la última copia con npm run restore',
  )
  await repair()
})

doctor(
  'broken references, pending migrations and migrations of a newer version are reported',
  async ({ data, check }) => {
    const sqlite = sqliteOf(data.db)
    sqlite.pragma('foreign_keys = OFF')
    sqlite.exec(`INSERT INTO comments_all VALUES ('x', 'nadie', 'nadie', 'hola', 1, 0)`)
    assert.is(findProblems(await check())[0], 'error referencias: 2 filas nombran lo que ya no existe (comments_all)')
    sqlite.exec(`DELETE FROM comments_all`)
    const last = sqlite.prepare('SELECT max(name) FROM kysely_migration').pluck().get()
    sqlite.prepare('DELETE FROM kysely_migration WHERE name = ?').run(last)
    assert.is(findProblems(await check())[0], `aviso migraciones: 1 pendiente: se harán al arrancar (${last})`)
    sqlite.prepare('INSERT INTO kysely_migration VALUES (?, ?), (?, ?)').run(last, '1', '2099-01-01-futuro', '2')
    assert.is(
      findProblems(await check())[0],
      'error migraciones: la base de datos es de una versión más nueva del programa (2099-01-01-futuro)',
    )
  },
)

doctor('a migration under its earlier name counts as run', async ({ data, check }) => {
  await makeBackup({ dataDir: data.dir, backupDir: data.backupDir })
  sqliteOf(data.db).exec(`UPDATE kysely_migration SET name = '2026-11-20-tables' WHERE name = '2026-11-20-1643-tables'`)
  assert.equal(findProblems(await check()), [])
})

doctor('old, damaged and failed backups are reported', async ({ data, check }) => {
  const { path, name } = await makeBackup({ dataDir: data.dir, backupDir: data.backupDir })
  const now = Date.now()
  assert.equal(findProblems(await check(now + DAY_MS)), [])
  assert.match(
    findProblems(await check(now + 2 * DAY_MS))[0]!,
    /^aviso copias: 1 copia, la última .*: es de hace 2 días$/,
  )
  assert.match(findProblems(await check(now + 5 * DAY_MS))[0]!, /^error copias: .*: es de hace 5 días$/)
  await writeOutcome(data.backupDir, { at: now + 1000, ok: false, text: 'no queda sitio para la copia.' })
  assert.equal(findProblems(await check()), ['error última copia: no se hizo: no queda sitio para la copia.'])
  await writeOutcome(data.backupDir, { at: now + 2000, ok: true, text: 'bien' })
  truncateSync(join(path, 'SHA256SUMS'), 10)
  assert.equal(findProblems(await check()), [`error copias: la última, ${name}, está dañada`])
})

doctor('an interrupted restore, and files that other users may read, are reported', async ({ data, check, repair }) => {
  await makeBackup({ dataDir: data.dir, backupDir: data.backupDir })
  writeFileSync(join(data.dir, 'push-keys.json'), '{}')
  // Inside a closed folder other users cannot reach it.
  chmodSync(join(data.dir, 'push-keys.json'), 0o644)
  assert.equal(findProblems(await check()), [])
  chmodSync(data.dir, 0o711)
  mkdirSync(join(data.dir, '.restore-2026-11-22T00-00-00Z'))
  assert.equal(findProblems(await check()), [
    'aviso permisos: otros usuarios de esta máquina pueden leer ., push-keys.json',
    'aviso restauración: quedan restos de una que no acabó',
  ])
  assert.equal(await repair(), [
    '. ya solo lo lee el sitio',
    'push-keys.json ya solo lo lee el sitio',
    'restos de una restauración borrados',
  ])
  assert.equal(findProblems(await check()), [])
  await addDogWithPhotos(data, 4)
  for (const name of ['', 'photos', ...readdirSync(join(data.dir, 'photos')).map((photo) => join('photos', photo))])
    chmodSync(join(data.dir, name), name.includes('.') ? 0o644 : 0o755)
  assert.equal(findProblems(await check()), ['aviso permisos: otros usuarios de esta máquina pueden leer 6 archivos'])
  assert.equal(await repair(), ['6 archivos ya solo los lee el sitio'])
  assert.equal(findProblems(await check()), [])
  beginSwap(data.dir, 'x')
  assert.equal(findProblems(await check()), ['error restauración: una se quedó a medias: repite npm run restore'])
})

doctor('reports whether the site is running', async ({ data, check }) => {
  assert.is((await check())[0]!.detail, 'parado')
  const release = lockDataExclusive(data.dir)!
  assert.is((await check())[0]!.detail, 'en marcha')
  release()
})

doctor('the level of a list is its worst one', () => {
  const level = (level: Finding['level']) => ({ what: '', level, detail: '' })
  assert.is(worstLevel([level('ok')]), 'ok')
  assert.is(worstLevel([level('ok'), level('aviso')]), 'aviso')
  assert.is(worstLevel([level('aviso'), level('error'), level('ok')]), 'error')
})
