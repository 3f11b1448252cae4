import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import { freshPostgresDb } from '#tests/support/postgres/databases.ts'

// PostgreSQL's side of prepared statements (db/dialect/postgres/prepared-statements.ts).

const prepared = suite<{ db: Db }>('unit/db/prepared-statements')

prepared.before.each((t) => {
  t.db = freshPostgresDb({ maxConnections: 1 })
})
prepared.after.each(({ db }) => db.destroy())

const countPrepared = async (db: Db) => {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM pg_prepared_statements`.execute(db)
  return rows[0]?.count
}
const readEvents = (db: Db) => db.selectFrom('events').selectAll().where('id', '>', 0).execute()

prepared('a statement with values is prepared once on its connection, one without is not', async ({ db }) => {
  assert.is(await countPrepared(db), 0)
  for (let i = 0; i < 3; i++) await readEvents(db)
  assert.is(await countPrepared(db), 1)
})

prepared('after another version has changed a table the second try succeeds', async ({ db }) => {
  await readEvents(db)
  await sql`ALTER TABLE events ADD COLUMN later integer`.execute(db)
  const error = await readEvents(db).catch((reason: unknown) => reason)
  assert.instance(error, Error)
  assert.equal(await readEvents(db), [])
})

prepared.run()
