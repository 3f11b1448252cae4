import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** Accounts that wait for their deletion, and what their members withdrew from dogs in sight: likes, roles and requests of ownership. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('account_deletions')
    .addColumn('user_id', text, (c) => c.primaryKey().notNull().references('users.id').onDelete('cascade'))
    .addColumn('dogs', text, (c) => c.notNull())
    .addColumn('state', text, (c) => c.notNull())
    .addColumn('undo_hash', text, (c) => c.unique())
    .addColumn('requested_at', integer, (c) => c.notNull())
    .addColumn('due_at', integer, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('account_deletions_due').on('account_deletions').columns(['due_at']).execute()
  await db.schema
    .createTable('withdrawn_rows')
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', text, (c) => c.notNull())
    .addColumn('dog_id', text, (c) => c.notNull())
    .addColumn('like_id', text)
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('declined_at', integer)
    .addPrimaryKeyConstraint('withdrawn_rows_pk', ['user_id', 'kind', 'dog_id'])
    .execute()
}
