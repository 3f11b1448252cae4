import type { Kysely } from 'kysely'

/**
 * Files of photos that are still to be removed, or to be taken out of public reach: written down in the transaction that
 * deletes or hides what they show, so that no crash after it leaves them behind.
 */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('photo_moves')
    .addColumn('name', 'text', (c) => c.primaryKey().notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('due_at', 'integer', (c) => c.notNull())
    .execute()
}
