import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** Who is still to be told that a dog whose sightings they reported is at home. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('lost_homecomings')
    .addColumn('dog_id', text, (c) => c.notNull())
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('owner_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('is_thanked', integer, (c) => c.notNull())
    .addColumn('queued_at', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('lost_homecomings_primary', ['dog_id', 'user_id'])
    .execute()
  await db.schema.createIndex('lost_homecomings_queued').on('lost_homecomings').column('queued_at').execute()
  await db.schema.createIndex('lost_homecomings_user').on('lost_homecomings').column('user_id').execute()
  await db.schema.createIndex('lost_homecomings_owner').on('lost_homecomings').column('owner_id').execute()
}
