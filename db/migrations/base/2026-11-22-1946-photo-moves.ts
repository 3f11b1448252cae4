import type { Kysely } from 'kysely'

/**
 * Photo files that are still to be removed or moved to quarantine. Inserted in the transaction that deletes or quarantines their rows, so
 * that a crash after it leaves no file behind.
 */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('photo_moves')
    .addColumn('name', 'text', (c) => c.primaryKey().notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('due_at', 'integer', (c) => c.notNull())
    .execute()
}
