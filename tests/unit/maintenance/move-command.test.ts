import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Db, migrate, openDatabase, sqliteOf } from '#db/client.ts'
import { lockDataExclusive } from '#features/maintenance/lock.server.ts'
import { isMoveUnfinished } from '#features/maintenance/move/move-rows.server.ts'
import { fillCommunity } from '#tests/support/community/fill-community.ts'
import { runCommand } from '#tests/support/operator-command.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { readAllRows } from '#tests/support/rows.ts'
import { member, seed } from '#tests/support/seed.ts'
import { freePort, serverEnv } from '#tests/support/server.ts'

// `npm run move -- --to <DATABASE_URL>` and `--from`, as a process of its own.

interface World {
  /** With a community in perrario.db. */
  dataDir: string
  /** Nothing yet. */
  emptyDir: string
  /** Without tables. */
  postgres: Db
  url: string
}

const move = suite<World>('unit/maintenance/move-command')

const folder = mkdtempSync(join(tmpdir(), 'perrario-move-'))
const DATABASE = 'perrario.db'
const openFile = (dir: string): Db => openDatabase(join(dir, DATABASE))

async function withFile<T>(dir: string, action: (db: Db) => Promise<T>): Promise<T> {
  const db = openFile(dir)
  try {
    return await action(db)
  } finally {
    await db.destroy()
  }
}

/** An empty PostgreSQL, whose connections are not a server's. */
async function emptyPostgres(): Promise<{ postgres: Db; url: string }> {
  const postgres = freshPostgresDb({ template: 'template1', applicationName: 'test' })
  await sql`SELECT 1`.execute(postgres)
  return { postgres, url: await postgresUrlOf(postgres) }
}

move.before(async () => {
  await withFile(folder, async (db) => {
    await migrate(db)
    fillCommunity(db, 1500)
    await seed(db, member({ alias: 'Ñandú äöü ß 🐶' }))
  })
})
move.before.each(async (t) => {
  ;[t.dataDir, t.emptyDir] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'perrario-move-'))) as [string, string]
  cpSync(join(folder, DATABASE), join(t.dataDir, DATABASE))
  Object.assign(t, await emptyPostgres())
})
move.after.each(async ({ dataDir, emptyDir, postgres }) => {
  await postgres.destroy()
  for (const dir of [dataDir, emptyDir]) rmSync(dir, { recursive: true })
})
move.after(() => rmSync(folder, { recursive: true }))

const run = (dataDir: string, ...words: string[]) => runCommand('move', words, { DATA_DIR: dataDir })
const digestIn = (output: string) =>
  /iguales en las dos bases de datos \(\d+ tablas, ([0-9a-f]{16})\)/.exec(output)?.[1]

/** Starts a move and kills it once it has copied `percent`. */
async function killAt(percent: number, dataDir: string, ...words: string[]): Promise<void> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/move.ts', ...words], {
    cwd: resolve(import.meta.dirname, '../../..'),
    env: serverEnv({ DATA_DIR: dataDir }),
  })
  let output = ''
  child.stderr.on('data', (text) => (output += text))
  child.stdout.on('data', (text) => {
    output += text
    const seen = [...output.matchAll(/^ *(\d+) %/gm)].map(([, number]) => Number(number))
    if (seen.some((number) => number >= percent)) child.kill('SIGKILL')
  })
  const signal = await new Promise((done) => child.on('close', (_, name) => done(name)))
  assert.is(signal, 'SIGKILL', output)
}

/** Runs a move that must be refused in one line. */
async function assertRefused(text: RegExp, dataDir: string, ...words: string[]): Promise<void> {
  const { code, output } = await run(dataDir, ...words)
  assert.is(code, 1, output)
  assert.match(output, text)
  assert.match(output, /^perrario · [^\n]*\n$/)
  assert.not.match(output, /:password@|secreta|mover:mover/)
}

/** In no order: as texts, sorted. */
const sortRows = (all: Record<string, readonly unknown[]>) =>
  Object.entries(all).map(([table, rows]) => [
    table,
    table.startsWith('kysely_') ? rows.length : rows.map((row) => JSON.stringify(row)).toSorted(),
  ])

move('moved there and back by two commands, the data is identical and the digests are equal', async (t) => {
  const there = await run(t.dataDir, '--to', t.url)
  assert.is(there.code, 0, there.output)
  assert.match(there.output, /^100 % {2}comparadas ([\d.]+) de \1 filas \(\w+\)$/m)
  assert.match(
    there.output,
    /\nperrario · arranca el sitio con DATABASE_URL=postgres:\/\/postgres:\*\*\*@localhost\/test_\w+\?/,
  )
  assert.match(there.output, /\nperrario · no se mueven las cachés ni las miniaturas, que se rehacen, ni las fotos/)
  assert.not.match(there.output, /:password@/)
  assert.ok(existsSync(join(t.dataDir, DATABASE)))
  const back = await run(t.emptyDir, '--from', t.url)
  assert.is(back.code, 0, back.output)
  assert.ok(digestIn(there.output))
  assert.is(digestIn(back.output), digestIn(there.output))
  assert.equal(
    readdirSync(t.emptyDir).filter((name) => name !== '.in-use'),
    [DATABASE],
  )
  assert.is(statSync(join(t.emptyDir, DATABASE)).mode & 0o777, 0o600)
  assert.equal(sortRows(await withFile(t.emptyDir, readAllRows)), sortRows(await withFile(t.dataDir, readAllRows)))
  const again = await run(t.dataDir, '--to', t.url)
  assert.is(again.code, 0, 'an ended move is compared again: it may have been killed before its answer')
  assert.is(digestIn(again.output), digestIn(there.output))
})

move('killed in the middle, a move goes on where it was, in both directions', async (t) => {
  const rowsOf = async (db: Db) =>
    (await sql<{ sum: number }>`SELECT coalesce(sum(rows), 0) AS sum FROM move_progress`.execute(db)).rows[0]!.sum
  await killAt(20, t.dataDir, '--to', t.url)
  assert.ok(await isMoveUnfinished(t.postgres))
  assert.ok((await rowsOf(t.postgres)) > 1000)
  await assertRefused(/^perrario · en el origen hay una mudanza que no acabó/, t.emptyDir, '--from', t.url)
  rmSync(join(t.emptyDir, 'perrario.db.moving'), { force: true })
  const there = await run(t.dataDir, '--to', t.url)
  assert.is(there.code, 0, there.output)
  assert.match(there.output, /^perrario · sigue una mudanza que se cortó\n +[1-9]\d* %/)
  assert.not(await isMoveUnfinished(t.postgres))

  await killAt(20, t.emptyDir, '--from', t.url)
  assert.not(existsSync(join(t.emptyDir, DATABASE)))
  const moving = openDatabase(join(t.emptyDir, 'perrario.db.moving'))
  assert.ok((await rowsOf(moving)) > 1000)
  await moving.destroy()
  const back = await run(t.emptyDir, '--from', t.url)
  assert.is(back.code, 0, back.output)
  assert.match(back.output, /^perrario · sigue una mudanza que se cortó\n/)
  assert.is(digestIn(back.output), digestIn(there.output))
  assert.equal(sortRows(await withFile(t.emptyDir, readAllRows)), sortRows(await withFile(t.dataDir, readAllRows)))
})

move('is refused while a server uses either side', async (t) => {
  const release = lockDataExclusive(t.dataDir)!
  await assertRefused(/el sitio está en marcha sobre estos datos: páralo antes de mover/, t.dataDir, '--to', t.url)
  release()
  const served = freshPostgresDb()
  await served.selectFrom('users').select('id').execute()
  const url = await postgresUrlOf(served)
  for (const [dir, flag] of [
    [t.dataDir, '--to'],
    [t.emptyDir, '--from'],
  ] as const)
    await assertRefused(/el sitio está en marcha sobre ese PostgreSQL \(1 conexión\)/, dir, flag, url)
  await served.destroy()
})

move('is refused while somebody writes to the source', async (t) => {
  const writer = openFile(t.dataDir)
  sqliteOf(writer).exec('BEGIN IMMEDIATE')
  await assertRefused(/alguien está escribiendo en el origen/, t.dataDir, '--to', t.url)
  sqliteOf(writer).exec('ROLLBACK')
  await writer.selectFrom('totals').selectAll().execute()
  await writer.destroy()
  await migrate(t.postgres)
  await t.postgres.transaction().execute(async (trx) => {
    await trx.insertInto('users').values({ id: 'x', email: 'x@ejemplo.es', created_at: 1 }).execute()
    await assertRefused(/alguien está escribiendo en el origen/, t.emptyDir, '--from', t.url)
  })
})

move('a target that holds data is refused and left as it is', async (t) => {
  await migrate(t.postgres)
  await seed(t.postgres, member({ alias: 'Otra' }))
  const before = await readAllRows(t.postgres)
  await assertRefused(/el destino ya tiene datos \(tabla [a-z_]+\): tiene que estar vacío/, t.dataDir, '--to', t.url)
  assert.equal(await readAllRows(t.postgres), before)
  const file = readFileSync(join(t.dataDir, DATABASE))
  await assertRefused(/ya hay una base de datos en .*: aparta antes perrario\.db/, t.dataDir, '--from', t.url)
  assert.ok(readFileSync(join(t.dataDir, DATABASE)).equals(file))
})

move('a target with tables of another program is refused, and nothing is created in it', async (t) => {
  await sql`CREATE TABLE invoices (id int)`.execute(t.postgres)
  await assertRefused(/el destino tiene tablas de otro programa \(invoices\)/, t.dataDir, '--to', t.url)
  assert.equal(
    (await t.postgres.introspection.getTables()).map(({ name }) => name),
    ['invoices'],
  )
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
  await sql`CREATE ROLE mover LOGIN PASSWORD 'mover'`.execute(t.postgres)
  const cases: [string, RegExp][] = [
    [`postgres://ana:password@127.0.0.1:${port}/perros`, /ana:\*\*\*@.*nadie responde en esa dirección/],
    ['postgres://ana:password@no-such-host.invalid/perros', /no se encuentra ese servidor/],
    [url.replace(':password@', ':secreta@'), /la contraseña o el usuario no son correctos/],
    [url.replace(/test_\w+/, 'no_such_database'), /no existe esa base de datos/],
    [url.replace('postgres:password@', 'mover:mover@'), /no puede crear tablas/],
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

move('unknown arguments print the usage, and DATABASE_URL serves as the address', async (t) => {
  for (const words of [[], ['--to', t.url, '--from', t.url], ['--to', t.url, 'más'], ['--ya']]) {
    const { code, output } = await run(t.dataDir, ...words)
    assert.is(code, 2, output)
    assert.match(output, /Uso: npm run move -- --to <DATABASE_URL>/)
  }
  const wrong = await run(t.dataDir, '--to', 'mysql://localhost/perros')
  assert.is(wrong.code, 2)
  assert.is(wrong.output, 'perrario · la dirección tiene que ser postgres://usuario:contraseña@servidor:5432/base.\n')
  writeFileSync(join(t.emptyDir, DATABASE), readFileSync(join(t.dataDir, DATABASE)))
  const { code, output } = await runCommand('move', ['--to'], { DATA_DIR: t.emptyDir, DATABASE_URL: t.url })
  assert.is(code, 0, output)
})

move.run()
