import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** The dogs of which an owner had members alerted: a limit that outlives cases and dogs. And whom a case is announced to. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('lost_alerted_dogs')
    .addColumn('owner_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('dog_id', text, (c) => c.notNull())
    .addColumn('alerted_at', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('lost_alerted_dogs_primary', ['owner_id', 'dog_id'])
    .execute()
  await db.schema.createIndex('lost_alerted_dogs_alerted').on('lost_alerted_dogs').column('alerted_at').execute()
  await db.schema.alterTable('lost_cases').addColumn('alerts', text).execute()
}
