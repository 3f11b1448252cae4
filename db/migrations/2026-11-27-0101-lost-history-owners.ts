import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** Whose case it was: the form to reopen it is filled in for them alone, and their words go with their account. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .alterTable('lost_history')
    .addColumn('owner_id', text, (c) => c.references('users.id').onDelete('cascade'))
    .execute()
  await db.schema.alterTable('lost_history').addColumn('thanked_at', integer).execute()
  await db.schema.createIndex('lost_history_owner').on('lost_history').column('owner_id').execute()
}
