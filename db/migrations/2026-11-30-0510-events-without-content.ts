import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/**
 * Events say what they are about and nothing of it. Those from before go, but for the last, without content, so that ids go on: open pages
 * load their data again.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const { text } = columnTypes(db)
  await sql`DELETE FROM events WHERE id < (SELECT max(id) FROM events)`.execute(db)
  for (const index of ['thing', 'dog', 'author']) await db.schema.dropIndex(`events_${index}`).execute()
  for (const column of ['thing_id', 'dog_id', 'author_id'])
    await db.schema.alterTable('events').dropColumn(column).execute()
  await db.schema
    .alterTable('events')
    .addColumn('actor_id', text, (c) => c.references('users.id').onDelete('cascade'))
    .execute()
  for (const column of ['thing_id', 'dog_id']) await db.schema.alterTable('events').addColumn(column, text).execute()
  await sql`CREATE INDEX events_actor ON events (actor_id) WHERE actor_id IS NOT NULL`.execute(db)
  await sql`UPDATE events SET type = 'dog', user_id = NULL, dog_id = '', data = '{"action":"removed"}'`.execute(db)
}
