import { sql } from 'kysely'
import { inTexts } from '#db/dialect/expressions.ts'
import { transact } from '#db/transact.ts'
import { addComment, listComments } from '#features/comments/comments.server.ts'
import { listDogs } from '#features/dogs/list/list.server.ts'
import { SORTS } from '#features/dogs/dogs.ts'
import { publish } from '#features/live/live.server.ts'
import { encodeCursor } from '#lib/cursor.ts'
import { toProblem } from '#server/problem.ts'
import { freshPostgresDb } from '#tests/support/postgres/databases.ts'
import { assert, captureConsole, type Db, dog, member, seed, suite } from '#tests/support/suites.ts'

// What SQLite takes and PostgreSQL refuses: nobody gets a 500 for it.

const values = suite<{ db: Db }>('unit/db/postgres-statements')
values.before((t) => {
  t.db = freshPostgresDb()
})
values.after(({ db }) => db.destroy())

values('a NUL leaves a text on its way to PostgreSQL, alone or in a list', async ({ db }) => {
  const key = 'Cá\0diz'
  await db.insertInto('geocodes').values({ key, lon: 1, lat: 1, place_name: '\0', created_at: 1 }).execute()
  const rows = await db
    .selectFrom('geocodes')
    .select(['key', 'place_name'])
    .where('key', '=', key)
    .where(inTexts(db, 'key', [key, '\0']))
    .execute()
  assert.equal(rows, [{ key: 'Cádiz', place_name: '' }])
})

values('a comment and an event with a NUL are stored without it', async ({ db }) => {
  const [ana, toby] = await seed(db, member(), dog())
  const { content } = await addComment(db, ana, toby.id, 'Hola\0 Toby')
  assert.is(content, 'Hola Toby')
  await publish(db, { type: 'dog', dogId: 'x', action: 'removed' })
  assert.is((await listComments(db, toby.id, { cursor: cursorOf(2e12, '\0') })).comments.length, 1)
})

const cursorOf = (value: number, id: string) => encodeCursor({ order: 'comments', value, id })

values('a cursor with a number that no column holds is refused as in SQLite', async ({ db }) => {
  const [, toby] = await seed(db, member(), dog())
  for (const value of [1.5, 1e300, 1e308, 2 ** 53, -(2 ** 60)]) {
    const refusals = [
      () => listComments(db, toby.id, { cursor: cursorOf(value, 'x') }),
      ...SORTS.map((sort) => () => listDogs(db, { sort, cursor: encodeCursor({ order: sort, value, id: 'x' }) })),
    ]
    for (const refuse of refusals) {
      const error = await refuse().catch((refused: unknown) => refused)
      assert.is(toProblem(error).status, 422, String(value))
    }
  }
})

values('a number that a column cannot hold is a request’s mistake, with one line in the log', async ({ db }) => {
  using lines = captureConsole()
  for (const value of [1.5, 1e300]) {
    const query = db.selectFrom('dogs').select('id').where('created_at', '=', value)
    const error = await query.execute().catch((refused: unknown) => refused)
    assert.is(toProblem(error).status, 400)
  }
  for (const line of lines)
    assert.match(line, /^perrario · la base de datos no admite un dato \(22\w{3}, petición ninguna\)$/)
  assert.is(lines.length, 2)
})

values('statements that are prepared survive a migration beside them, also in a transaction', async ({ db }) => {
  const [ana] = await seed(db, member())
  const read = (on: Db) => on.selectFrom('blocks').selectAll().where('user_id', '=', ana.id).execute()
  // Each connection of the pool prepares it.
  await Promise.all(Array.from({ length: 60 }, () => read(db)))
  await sql`ALTER TABLE blocks ADD COLUMN note text`.execute(db)
  await Promise.all(Array.from({ length: 20 }, () => read(db)))
  await sql`ALTER TABLE blocks DROP COLUMN note`.execute(db)
  await Promise.all(Array.from({ length: 20 }, () => transact(db, async (trx) => void (await read(trx)))))
  const { rows } = await sql`SELECT name FROM pg_prepared_statements WHERE statement LIKE '%"blocks"%'`.execute(db)
  assert.ok(rows.length > 0)
})

values('statements that have become common are prepared, however many others there were', async () => {
  await using db = freshPostgresDb({ maxConnections: 1 })
  const run = async (shape: number) => {
    for (let i = 0; i < 6; i++) await sql`SELECT ${sql.lit(shape)} AS shape, ${i}::int AS i`.execute(db)
  }
  for (let shape = 0; shape < 300; shape++) await run(shape)
  await run(1000)
  const { rows } = await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements`.execute(db)
  assert.ok(rows.some(({ statement }) => statement.includes('SELECT 1000 ')))
  assert.ok(rows.some(({ statement }) => statement.includes('SELECT 299 ')))
  assert.not.ok(rows.some(({ statement }) => statement.includes('SELECT 0 ')))
  assert.ok(rows.length <= 251, `${rows.length} statements`)
  // One that has lost its name runs, and gets another.
  await run(0)
})
