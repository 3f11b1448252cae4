import { type Kysely, sql } from 'kysely'

/** Blocks whose members still have notifications about each other: after a crash the next start goes on deleting them. */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('blocks')
    .addColumn('notifications_pending', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`CREATE INDEX blocks_pending ON blocks (user_id) WHERE notifications_pending = 1`.execute(db)
}
