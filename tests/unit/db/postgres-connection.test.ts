import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  connectPostgres,
  countServerConnections,
  describePostgresFault,
  hidePassword,
} from '#db/dialect/postgres/connect.ts'
import { NewerDatabaseError, PostgresUnusableError } from '#db/errors.ts'
import { dumpCommand, restoreCommand } from '#features/maintenance/postgres.server.ts'
import { startDatabase } from '#server/db.ts'
import { freshPostgresDb, postgresUrlOf } from '#tests/support/postgres/databases.ts'
import { freePort } from '#tests/support/server.ts'
import { assert, captureConsole, suite } from '#tests/support/suites.ts'

const connect = suite('unit/db/postgres-connection')

const refusalOf = (url: string): Promise<Error> =>
  connectPostgres(url).then(
    async (db) => {
      await db.destroy()
      throw new Error('it was opened')
    },
    (error: Error) => error,
  )

async function assertRefused(url: string, text: RegExp): Promise<void> {
  const error = await refusalOf(url)
  assert.instance(error, PostgresUnusableError)
  assert.match(error.message, text)
  assert.not.match(error.message, /\n/)
}

connect('a migrated database is opened, and its connections are counted by their name', async () => {
  const db = freshPostgresDb()
  await db.selectFrom('users').select('id').execute()
  const url = await postgresUrlOf(db)
  const command = await connectPostgres(url, { applicationName: 'perrario-move' })
  const before = await countServerConnections(command)
  const server = await connectPostgres(url)
  assert.is(await countServerConnections(command), before + 1)
  for (const each of [server, command, db]) await each.destroy()
})

connect('an address that is none of PostgreSQL is refused before anything is sent', async () => {
  for (const url of ['', 'perros', 'mysql://localhost/perros', 'postgres://localhost', 'postgres://localhost/'])
    await assertRefused(url, /^la dirección tiene que ser postgres:\/\//)
})

connect('where nobody listens the message says so, without the password', async () => {
  const port = await freePort()
  await assertRefused(
    `postgres://ana:secreta@127.0.0.1:${port}/perros`,
    new RegExp(`^PostgreSQL \\(postgres://ana:\\*\\*\\*@127\\.0\\.0\\.1:${port}/perros\\): nadie responde`),
  )
})

connect('a database that does not exist is named', async () => {
  await using db = freshPostgresDb()
  await db.selectFrom('users').select('id').execute()
  const url = (await postgresUrlOf(db)).replace(/\/test_\w+/, '/no_such_database')
  await assertRefused(url, /no existe esa base de datos/)
})

for (const encoding of ['LATIN1', 'SQL_ASCII'])
  connect(`a database in ${encoding} is refused, with the order that makes one in UTF-8`, async () => {
    await using db = freshPostgresDb()
    const name = `encoded_${encoding.toLowerCase()}`
    await sql`DROP DATABASE IF EXISTS ${sql.table(name)}`.execute(db)
    await sql`CREATE DATABASE ${sql.table(name)} TEMPLATE template0 ENCODING ${sql.lit(encoding)} LOCALE_PROVIDER libc LOCALE 'C'`.execute(
      db,
    )
    const url = (await postgresUrlOf(db)).replace(/\/test_\w+/, `/${name}`)
    await assertRefused(
      url,
      new RegExp(`UTF-8, y está en ${encoding}: créala con createdb --encoding=UTF8 --template=template0\\.$`),
    )
    await sql`DROP DATABASE ${sql.table(name)} WITH (FORCE)`.execute(db)
  })

connect('an address without the password that the server asks for is refused in a sentence', () => {
  // As the driver says it where passwords are SCRAM; those of the tests' server are not.
  const error = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string')
  assert.match(describePostgresFault(error) ?? '', /^falta la contraseña/)
})

connect('a server that only reads cannot be prepared, and says so', async () => {
  await using db = freshPostgresDb()
  await sql`DELETE FROM kysely_migration`.execute(db)
  const url = await postgresUrlOf(db)
  await sql`ALTER DATABASE ${sql.table(new URL(url).pathname.slice(1))} SET default_transaction_read_only = on`.execute(
    db,
  )
  const error = await startDatabase({ dataDir: '', databaseUrl: url }).then(
    () => null,
    (error: Error) => error,
  )
  assert.instance(error, PostgresUnusableError)
  assert.match(error!.message, /^no se puede preparar PostgreSQL: el servidor solo deja leer/)
})

connect('a user who may not create tables is refused', async () => {
  await using db = freshPostgresDb()
  // A run that failed leaves it on the server of all runs.
  await sql`DROP ROLE IF EXISTS reader`.execute(db)
  await sql`CREATE ROLE reader LOGIN PASSWORD 'reader'`.execute(db)
  const url = (await postgresUrlOf(db)).replace('postgres:password@', 'reader:reader@')
  await assertRefused(url, /^PostgreSQL \(postgres:\/\/reader:\*\*\*@.*\/test_\w+\?host=.*\): .*no puede crear tablas/)
  await sql`DROP ROLE reader`.execute(db)
})

connect('a database of a newer program is refused', async () => {
  await using db = freshPostgresDb()
  await sql`INSERT INTO kysely_migration VALUES ('2999-01-01-0000-later', '2999')`.execute(db)
  const error = await refusalOf(await postgresUrlOf(db))
  assert.instance(error, NewerDatabaseError)
  assert.match(error.message, /2999-01-01-0000-later/)
})

connect('a connection that ends between two statements of a transaction fails the next one, and no more', async () => {
  await using db = freshPostgresDb()
  await db.selectFrom('users').select('id').execute()
  await using other = await connectPostgres(await postgresUrlOf(db))
  const failure = await db
    .transaction()
    .execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(trx)
      await sql`SELECT pg_terminate_backend(${rows[0]!.pid})`.execute(other)
      await wait(100)
      await trx.selectFrom('users').select('id').execute()
    })
    .catch((error: unknown) => error)
  assert.instance(failure, Error)
  assert.equal(await db.selectFrom('users').select('id').execute(), [])
})

connect('a connection that ends while nobody uses it is one line, with the reason', async () => {
  await using db = freshPostgresDb()
  await db.selectFrom('users').select('id').execute()
  await using other = await connectPostgres(await postgresUrlOf(db))
  using lines = captureConsole()
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(other)
  for (let waited = 0; lines.length === 0 && waited < 5000; waited += 20) await wait(20)
  assert.equal(lines, ['perrario · PostgreSQL ha cerrado una conexión sin uso (57P01)'])
})

const SECRET = 'canario'
const ADDRESSES_WITH_PASSWORD = [
  `postgres://ana:${SECRET}@servidor:5432/perros`,
  `postgres://ana@servidor/perros?password=${SECRET}`,
  `postgres://ana@servidor/perros?PASSWORD=${SECRET}&sslmode=require`,
  `postgres://ana@servidor/perros?sslpassword=${SECRET}&sslcert=${SECRET}&host=/run/pg`,
  `postgres://ana@servidor/perros?options=-c%20x%3D${SECRET}`,
  `postgres://ana@servidor/perros?a%20b=${SECRET}#${SECRET}`,
  `postgresql://ana:a%40${SECRET}@[::1]:5432/perros?p%61ssword=${SECRET}`,
]

connect('a password does not reach a message or a printed command, wherever in the address it is', () => {
  for (const url of ADDRESSES_WITH_PASSWORD)
    for (const print of [hidePassword, dumpCommand, restoreCommand]) {
      const text = print(url)
      assert.not.match(text, SECRET, url)
      assert.match(text, /postgres(ql)?:\/\/ana[:@]/)
      assert.match(text, '/perros')
    }
})

connect('the rest of an address is shown', () => {
  assert.is(hidePassword('postgres://ana:secreta@servidor:5432/perros'), 'postgres://ana:***@servidor:5432/perros')
  assert.is(hidePassword('postgres://ana@servidor/perros'), 'postgres://ana@servidor/perros')
  assert.is(
    hidePassword('postgres://ana@servidor/perros?host=%2Frun%2Fpg&sslmode=require&x=1'),
    'postgres://ana@servidor/perros?host=%2Frun%2Fpg&sslmode=require',
  )
})

connect('a refusal does not print a password of the query', async () => {
  const port = await freePort()
  const { message } = await refusalOf(`postgres://ana@127.0.0.1:${port}/perros?password=${SECRET}`)
  assert.not.match(message, SECRET)
})
