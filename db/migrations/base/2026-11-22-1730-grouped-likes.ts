import { type Kysely, sql } from 'kysely'

/** Grouped likes count from this time on: earlier ones were read already. 0 counts all, as before this migration. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE notifications ADD COLUMN likes_since INTEGER NOT NULL DEFAULT 0`.execute(db)
}
