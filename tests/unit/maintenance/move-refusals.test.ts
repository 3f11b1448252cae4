import { cpSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { migrate, openDatabase, sqliteOf } from '#db/client.ts'
import { lockDataExclusive } from '#features/maintenance/lock.server.ts'
import { moveFromPostgres, moveToPostgres } from '#features/maintenance/move/move-database.server.ts'
import { DATABASE, emptyPostgres, moveSuite, withFile } from '#tests/support/maintenance/move-suite.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { readAllRows } from '#tests/support/rows.ts'
import { freePort } from '#tests/support/server.ts'
import { assert, assertNone, member, pluck, seed } from '#tests/support/suites.ts'

const move = moveSuite('unit/maintenance/move-refusals', 20)

const MOVES = { '--to': moveToPostgres, '--from': moveFromPostgres }

/** Begins a move that must be refused in one sentence, without a password. */
async function assertRefused(text: RegExp, dataDir: string, flag: keyof typeof MOVES, url: string): Promise<void> {
  const error = await MOVES[flag]({ dataDir, url }).then(
    () => null,
    (reason: Error) => reason,
  )
  assert.match(error?.message ?? 'it was not refused', text)
  assert.not.match(error?.message ?? '', /\n|:password@|secreta|mover:mover/)
}

move('is refused while a server uses either side', async (t) => {
  const release = lockDataExclusive(t.dataDir)!
  await assertRefused(/el sitio está en marcha sobre estos datos: páralo antes de mover/, t.dataDir, '--to', t.url)
  release()
  await using served = freshPostgresDb()
  await served.selectFrom('users').select('id').execute()
  const url = await postgresUrlOf(served)
  for (const [dir, flag] of [
    [t.dataDir, '--to'],
    [t.emptyDir, '--from'],
  ] as const)
    await assertRefused(/el sitio está en marcha sobre ese PostgreSQL \(1 conexión\)/, dir, flag, url)
})

move('is refused while somebody writes to the source', async (t) => {
  const writer = openDatabase(join(t.dataDir, DATABASE))
  sqliteOf(writer).exec('BEGIN IMMEDIATE')
  await assertRefused(/alguien está escribiendo en el origen/, t.dataDir, '--to', t.url)
  sqliteOf(writer).exec('ROLLBACK')
  await writer.selectFrom('totals').selectAll().execute()
  await writer.destroy()
  await migrate(t.postgres)
  await t.postgres.transaction().execute(async (trx) => {
    // Somebody else's program, which waits as long as it likes.
    await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(trx)
    await trx.insertInto('users').values({ id: 'x', email: 'x@ejemplo.es', created_at: 1 }).execute()
    await assertRefused(/alguien está escribiendo en el origen/, t.emptyDir, '--from', t.url)
  })
})

move('a target that holds data is refused and left as it is', async (t) => {
  await migrate(t.postgres)
  await seed(t.postgres, member({ alias: 'Otra' }))
  const before = await readAllRows(t.postgres)
  await assertRefused(
    /el destino ya tiene datos \(tabla [a-z_]+\): tiene que estar vacío \(dropdb y createdb\)\./,
    t.dataDir,
    '--to',
    t.url,
  )
  assert.equal(await readAllRows(t.postgres), before)
  const file = readFileSync(join(t.dataDir, DATABASE))
  await assertRefused(/ya hay una base de datos en .*: aparta antes perrario\.db/, t.dataDir, '--from', t.url)
  assert.ok(readFileSync(join(t.dataDir, DATABASE)).equals(file))
})

move('what a killed server left beside perrario.db is refused without it, and left as it is', async (t) => {
  await moveToPostgres({ dataDir: t.dataDir, url: t.url })
  // The files of a server at the moment of `kill -9`.
  await withFile(t.dataDir, async (db) => {
    await seed(db, member({ alias: 'Antigua' }))
    for (const suffix of ['-wal', '-shm'])
      cpSync(join(t.dataDir, DATABASE + suffix), join(t.emptyDir, `killed${suffix}`))
  })
  for (const suffix of ['-wal', '-shm']) {
    const file = join(t.emptyDir, DATABASE + suffix)
    renameSync(join(t.emptyDir, `killed${suffix}`), file)
    const content = readFileSync(file)
    await assertRefused(
      new RegExp(`quedan restos de otra base de datos en .*: aparta antes perrario\\.db${suffix}\\.$`),
      t.emptyDir,
      '--from',
      t.url,
    )
    assert.ok(readFileSync(file).equals(content))
    rmSync(file)
  }
  assertNone(readdirSync(t.emptyDir), (name) => name.startsWith(DATABASE))
  await moveFromPostgres({ dataDir: t.emptyDir, url: t.url })
  await withFile(t.emptyDir, async (db) =>
    assert.equal(await db.selectFrom('profiles').select('id').where('alias', '=', 'Antigua').execute(), []),
  )
})

move('a target with tables of another program is refused, and nothing is created in it', async (t) => {
  await sql`CREATE TABLE invoices (id int)`.execute(t.postgres)
  await assertRefused(/el destino tiene tablas de otro programa \(invoices\)/, t.dataDir, '--to', t.url)
  assert.equal(pluck(await t.postgres.introspection.getTables(), 'name'), ['invoices'])
})

move('a source of an earlier or a newer version, or an empty one, is refused', async (t) => {
  await assertRefused(/la base de datos de origen está vacía/, t.emptyDir, '--from', t.url)
  await assertRefused(/no hay base de datos en .*: no hay nada que mover/, t.emptyDir, '--to', t.url)
  await migrate(t.postgres)
  const forget = sql`DELETE FROM kysely_migration WHERE name = (SELECT max(name) FROM kysely_migration)`
  const learn = sql`INSERT INTO kysely_migration VALUES ('2999-01-01-0000-later', '2999')`
  const earlier = /es de una versión anterior del programa \(1 migración pendiente\): arranca antes el sitio con ella/
  const newer = /es de una versión más nueva del programa \(2999-01-01-0000-later\): actualízalo/
  for (const [change, text] of [
    [forget, earlier],
    [learn, newer],
  ] as const) {
    await withFile(t.dataDir, (db) => change.execute(db))
    await change.execute(t.postgres)
    await assertRefused(text, t.dataDir, '--to', t.url)
    await assertRefused(text, t.emptyDir, '--from', t.url)
  }
})

move('a wrong address, password, right or version of PostgreSQL is one line', async (t) => {
  const port = await freePort()
  const forbidden = await emptyPostgres()
  const { url } = t
  // A run that failed leaves it on the server of all runs.
  await sql`DROP ROLE IF EXISTS mover`.execute(t.postgres)
  await sql`CREATE ROLE mover LOGIN PASSWORD 'mover'`.execute(t.postgres)
  const cases: [string, RegExp][] = [
    [`postgres://ana:password@127.0.0.1:${port}/perros`, /ana:\*\*\*@.*nadie responde en esa dirección/],
    ['postgres://ana:password@no-such-host.invalid/perros', /no se encuentra ese servidor/],
    [url.replace(':password@', ':secreta@'), /la contraseña o el usuario no son correctos/],
    [url.replace(/test_\w+/, 'no_such_database'), /no existe esa base de datos/],
    [url.replace('postgres:password@', 'mover:mover@'), /mover:\*\*\*@.*no puede crear tablas/],
  ]
  for (const [address, text] of cases) await assertRefused(text, t.dataDir, '--to', address)
  await assertRefused(/la contraseña o el usuario no son correctos/, t.emptyDir, '--from', cases[2]![0])
  await sql`DROP ROLE mover`.execute(t.postgres)
  // A function that stands before PostgreSQL's own says another version.
  await sql`CREATE SCHEMA fake`.execute(forbidden.postgres)
  await sql`CREATE FUNCTION fake.current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT '140011' $$`.execute(
    forbidden.postgres,
  )
  const name = new URL(forbidden.url).pathname.slice(1)
  await sql`ALTER DATABASE ${sql.id(name)} SET search_path = fake, public, pg_catalog`.execute(forbidden.postgres)
  await assertRefused(
    /hace falta PostgreSQL 15 o posterior, y el servidor es el 14\./,
    t.dataDir,
    '--to',
    forbidden.url,
  )
  await forbidden.postgres.destroy()
})
