import { type Kysely, sql } from 'kysely'

/**
 * Accounts whose deletion has begun: after a crash the next start finishes it. Also an index that finds the notification of one comment
 * among all those of its author.
 */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('account_erasures')
    .addColumn('user_id', 'text', (c) => c.primaryKey().notNull().references('users.id').onDelete('cascade'))
    .addColumn('alias', 'text', (c) => c.notNull())
    .addColumn('dogs', 'text', (c) => c.notNull())
    .addColumn('created_at', 'integer', (c) => c.notNull())
    .execute()
  await sql`DROP INDEX notifications_actor`.execute(db)
  await sql`CREATE INDEX notifications_actor ON notifications (actor_id, created_at) WHERE actor_id IS NOT NULL`.execute(
    db,
  )
}
