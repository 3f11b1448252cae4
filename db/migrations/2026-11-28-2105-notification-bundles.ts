import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** What one member does about one dog is one notification, and security and lost dogs come first in the bell. */
export async function up(db: Kysely<any>): Promise<void> {
  const { integer } = columnTypes(db)
  for (const [column, value] of [
    ['times', 1],
    ['is_urgent', 0],
  ] as const)
    await db.schema
      .alterTable('notifications')
      .addColumn(column, integer, (c) => c.notNull().defaultTo(value))
      .execute()
  await sql`CREATE INDEX notifications_bundle ON notifications (user_id, actor_id, dog_id) WHERE type <> 'like'`.execute(
    db,
  )
}
