import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** The key pair of push notifications, where several processes share the database: one row. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('push_keys')
    .addColumn('id', integer, (c) => c.primaryKey().notNull())
    .addColumn('public_key', text, (c) => c.notNull())
    .addColumn('private_key', text, (c) => c.notNull())
    .execute()
}
