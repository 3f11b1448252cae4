import { chmodSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { runChecks } from '#features/maintenance/doctor/doctor.server.ts'
import { moveRows } from '#features/maintenance/move/move-rows.server.ts'
import { addDogWithPhotos, photoFiles } from '#tests/support/maintenance/data-dir.ts'
import { assertCountsAreRepaired, findProblems } from '#tests/support/maintenance/doctor-suite.ts'
import { postgresDataSuite } from '#tests/support/maintenance/postgres-suite.ts'
import { openMigratedDatabase } from '#tests/support/migrated-snapshot.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { assert, assertNone, member, seed } from '#tests/support/suites.ts'

const doctor = postgresDataSuite('unit/maintenance/doctor-postgres')

doctor('finds no fault in intact data with a fresh backup', async ({ data, check, repair, backUp }) => {
  await addDogWithPhotos(data, 3)
  await backUp()
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
      'restauración',
      'copias',
    ],
  )
  assert.match(findings[1]!.detail, /^PostgreSQL \d+\.\d+, [\d.]+ filas$/)
  assert.match(findings.at(-1)!.detail, /, sin la base de datos, que es cosa de pg_dump$/)
  assert.equal(await repair(), [])
})

doctor('wrong counts are reported and recounted, each of them', assertCountsAreRepaired)

doctor('a repair waits for a writer at work, and counts what it wrote', async ({ data, check, repair }) => {
  await addDogWithPhotos(data, 1)
  await data.db.updateTable('dogs_all').set({ comments_count: 9 }).execute()
  let isRepaired = false
  let repaired: Promise<string[]> | undefined
  await data.db.transaction().execute(async (trx) => {
    await seed(trx, member())
    repaired = repair().finally(() => (isRepaired = true))
    await new Promise((done) => setTimeout(done, 1500))
    assert.not(isRepaired)
  })
  assert.match((await repaired!)[0]!, /^recuentos rehechos: comentarios de los perros/)
  assertNone(findProblems(await check()), (line) => line.includes('recuentos'))
})

doctor('photos without rows and rows without photos are reported, and repaired', async (t) => {
  const { data, check, repair } = t
  const toby = await addDogWithPhotos(data, 2)
  await t.backUp()
  const [first] = photoFiles(data, toby)
  rmSync(first!)
  writeFileSync(join(data.dir, 'photos', `${crypto.randomUUID()}.jpg`), 'nobody names it')
  const found = findProblems(await check())
  assert.match(found[0]!, /^error fotos: faltan 1 de 2 en el disco/)
  assert.match(found[1]!, /^aviso fotos sueltas: 1 archivo que nadie nombra/)
  assert.equal(await repair(), [
    '1 foto recuperada de lo apartado o de las copias',
    `1 foto suelta apartada en ${join(data.dir, 'lost')}`,
  ])
  assert.equal(findProblems(await check()), [])
})

doctor('open cases about what is deleted are reported, and closed', async ({ data, check, repair, backUp }) => {
  await backUp()
  await data.db
    .insertInto('cases')
    .values({ id: 'c', kind: 'dog', thing_id: 'gone', cause: 'words', created_at: 1, latest_at: 1 })
    .execute()
  assert.equal(findProblems(await check()), ['aviso casos: 1 abierto sobre lo que ya no está'])
  assert.equal(await repair(), ['1 caso cerrado sobre lo que ya no está'])
})

doctor('servers on any machine are counted by their connections', async ({ data, check }) => {
  assert.is((await check())[0]!.detail, 'parado')
  await using server = freshPostgresDb()
  await server.selectFrom('totals').select('value').execute()
  const url = await postgresUrlOf(server)
  const [use] = await runChecks({ dataDir: data.dir, databaseUrl: url, backupDir: data.backupDir, backups: null })
  assert.is(use!.detail, 'en marcha (1 conexión a PostgreSQL)')
})

doctor('switched-off triggers, unchecked references and missing rights are reported', async (t) => {
  const { data, check, backUp } = t
  await backUp()
  const { db } = data
  await sql`ALTER TABLE dogs_all DISABLE TRIGGER USER`.execute(db)
  assert.equal(findProblems(await check()), [
    'error disparadores: apagados en 1 tabla (dogs_all): ALTER TABLE … ENABLE TRIGGER ALL',
  ])
  await sql`ALTER TABLE dogs_all ENABLE TRIGGER USER`.execute(db)
  await sql`ALTER TABLE comments_all ADD CONSTRAINT later FOREIGN KEY (id) REFERENCES comments_all (id) NOT VALID`.execute(
    db,
  )
  assert.equal(findProblems(await check()), [
    'error referencias: PostgreSQL no las ha comprobado: later (VALIDATE CONSTRAINT)',
  ])
  await sql`ALTER TABLE comments_all DROP CONSTRAINT later`.execute(db)
  // A run that failed leaves it on the server of all runs.
  await sql`DROP ROLE IF EXISTS checker`.execute(db)
  await sql`CREATE ROLE checker LOGIN PASSWORD 'checker'`.execute(db)
  await sql`GRANT CREATE ON SCHEMA public TO checker`.execute(db)
  await sql`GRANT SELECT ON kysely_migration TO checker`.execute(db)
  const url = t.url.replace('postgres:password@', 'checker:checker@')
  const findings = await runChecks({ ...data, dataDir: data.dir, databaseUrl: url, backups: null })
  assert.match(
    findProblems(findings)[0]!,
    /^error base de datos: PostgreSQL [\d.]+: al usuario le faltan permisos en \d+ tablas \(/,
  )
  await sql`DROP OWNED BY checker`.execute(db)
  await sql`DROP ROLE checker`.execute(db)
})

doctor(
  'an unfinished move, and what moves leave in the folder, are reported',
  async ({ data, check, repair, backUp }) => {
    await backUp()
    const source = await openMigratedDatabase(join(data.dir, 'perrario.db'))
    await moveRows(source, data.db, () => {
      throw new Error('cut')
    }).catch(() => {})
    await source.destroy()
    const found = findProblems(await check())
    assert.match(
      found[0]!,
      /^error base de datos: PostgreSQL [\d.]+: una mudanza se quedó a medias: repite npm run move -- --to$/,
    )
    assert.match(found[1]!, /^aviso base de datos anterior: perrario\.db sigue en .*bórrala cuando no la necesites$/)
    assert.equal(await repair(), [])
    renameSync(join(data.dir, 'perrario.db'), join(data.dir, 'perrario.db.moving'))
    assert.match(
      findProblems(await check())[1]!,
      /^aviso mudanza: una hasta aquí no acabó: repite npm run move -- --from/,
    )
  },
)

doctor('a PostgreSQL that cannot be used is one error, and the folder is checked all the same', async (t) => {
  const { data, url } = t
  const empty = freshPostgresDb({ template: 'template1', applicationName: 'test' })
  await sql`SELECT 1`.execute(empty)
  chmodSync(data.dir, 0o755)
  for (const [address, text] of [
    [url.replace(':password@', ':secreta@'), /la contraseña o el usuario no son correctos\.$/],
    [await postgresUrlOf(empty), /está vacía: arranca antes el sitio, o npm run move -- --to$/],
  ] as const) {
    const options = { dataDir: data.dir, databaseUrl: address, backupDir: data.backupDir, backups: null }
    const found = findProblems(await runChecks(options))
    assert.match(found[0]!, text)
    assert.not.match(found[0]!, /secreta/)
    assert.match(found[1]!, /^aviso permisos: otros usuarios/)
  }
  await sql`INSERT INTO kysely_migration VALUES ('2999-01-01-0000-later', '2999')`.execute(data.db)
  assert.match(findProblems(await t.check())[0]!, /de una versión más nueva del programa \(2999-01-01-0000-later\)/)
  await empty.destroy()
  assert.equal(readdirSync(data.dir).includes('perrario.db'), false)
})
