import { type Kysely, sql } from 'kysely'

/** Read notifications by age: they are deleted after a year. Without it the table is read from end to end. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`CREATE INDEX notifications_read ON notifications (created_at) WHERE is_read = 1`.execute(db)
}
