import { type Kysely, sql } from 'kysely'

/**
 * An event's subjects as generated columns of its JSON, so that events of erased, quarantined or edited content are found by index. The
 * earlier history is deleted, because it contains texts that were erased under the earlier release. Its last row stays without content,
 * so that ids go on; browsers that come back start again.
 */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`DELETE FROM events WHERE id < (SELECT max(id) FROM events)`.execute(db)
  await sql`UPDATE events SET type = 'dog', user_id = NULL, data = '{"action":"removed","id":""}'`.execute(db)
  await sql`ALTER TABLE events ADD COLUMN thing_id TEXT GENERATED ALWAYS AS
    (coalesce(json_extract(data, '$.id'), json_extract(data, '$.notification.id'))) VIRTUAL`.execute(db)
  await sql`ALTER TABLE events ADD COLUMN dog_id TEXT GENERATED ALWAYS AS
    (CASE type WHEN 'dog' THEN json_extract(data, '$.id') WHEN 'notification' THEN json_extract(data, '$.notification.dog_id')
      ELSE json_extract(data, '$.dog_id') END) VIRTUAL`.execute(db)
  await sql`ALTER TABLE events ADD COLUMN author_id TEXT GENERATED ALWAYS AS
    (json_extract(data, '$.comment.user_id')) VIRTUAL`.execute(db)
  for (const column of ['thing_id', 'dog_id', 'author_id'])
    await sql`CREATE INDEX ${sql.raw(`events_${column.slice(0, -3)}`)} ON events (${sql.raw(column)})
      WHERE ${sql.raw(column)} IS NOT NULL`.execute(db)
}
