import { sql } from 'kysely'
import { migrate, sqliteOf } from '#db/client.ts'
import { migrations } from '#db/migrations/index.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { freshPostgresDb } from '#tests/support/postgres/databases.ts'
import { listDifferences, readPostgresShape, readSqliteShape } from '#tests/support/postgres/schema-shapes.ts'
import { assert, member, pluck, seed, suite } from '#tests/support/suites.ts'

// A migration runs on both databases: what it changes in one it changes in the other.

const schema = suite('unit/db/postgres-schema')

schema('both databases have the same tables, columns, keys and indexes', async () => {
  const [sqlite, postgres] = [sqliteDb(), freshPostgresDb()]
  const shape = readSqliteShape(sqliteOf(sqlite))
  assert.ok(Object.keys(shape).filter((key) => key.includes(' PRIMARY KEY ')).length > 50)
  assert.equal(listDifferences(shape, await readPostgresShape(postgres)), [])
  await Promise.all([sqlite.destroy(), postgres.destroy()])
})

schema('a change in one database alone is a difference', async () => {
  const [sqlite, postgres] = [sqliteDb(), freshPostgresDb()]
  const run = (statement: string) => sql.raw(statement).execute(postgres)
  await run('ALTER TABLE blocks ADD COLUMN note text')
  await run('ALTER TABLE comments_all ALTER COLUMN content DROP NOT NULL')
  await run('ALTER TABLE push_queue ALTER COLUMN due_at TYPE integer')
  await run('ALTER TABLE dogs_all ALTER COLUMN comments_count SET DEFAULT 1')
  await run('ALTER TABLE dog_likes_all DROP CONSTRAINT dog_likes_once')
  await run('ALTER TABLE oauth_accounts DROP CONSTRAINT oauth_accounts_user_id_fkey')
  await run('DROP INDEX notifications_unread')
  await run('CREATE INDEX notifications_unread ON notifications_all (user_id) WHERE is_read = 1')
  await run('CREATE TABLE spare (id bigint PRIMARY KEY)')
  const found = listDifferences(readSqliteShape(sqliteOf(sqlite)), await readPostgresShape(postgres))
  assert.equal(found.map((line) => line.split(':')[0]).toSorted(), [
    'blocks.note',
    'comments_all.content',
    'dog_likes_all UNIQUE (dog_id, user_id)',
    'dogs_all.comments_count',
    'notifications_all index notifications_unread',
    'oauth_accounts FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE',
    'push_queue.due_at',
    'spare PRIMARY KEY (id)',
    'spare.id',
  ])
  await Promise.all([sqlite.destroy(), postgres.destroy()])
})

schema('a view that is not as the list says is created anew, without a migration', async () => {
  for (const db of [sqliteDb(), freshPostgresDb()]) {
    const [ana] = await seed(db, member())
    await db.updateTable('profiles_all').set({ hidden: 4 }).where('id', '=', ana.id).execute()
    await sql`DROP VIEW profiles`.execute(db)
    await sql`CREATE VIEW profiles AS SELECT * FROM profiles_all`.execute(db)
    assert.equal(await migrate(db), [])
    assert.equal(await db.selectFrom('profiles').select('id').execute(), [])
    await db.destroy()
  }
})

schema('PostgreSQL remembers the same migrations as SQLite, and a second run changes nothing', async () => {
  await using db = freshPostgresDb()
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  assert.equal(pluck(rows, 'name'), Object.keys(migrations))
  assert.equal(await migrate(db), [])
})
