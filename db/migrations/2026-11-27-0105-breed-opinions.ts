import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** Dogs whose people ask what breed they are, and what members think. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('opinion_requests')
    .addColumn('dog_id', text, (c) => c.primaryKey().notNull())
    .addColumn('asked_at', integer, (c) => c.notNull())
    .addColumn('closed_at', integer)
    .execute()
  await db.schema.createIndex('opinion_requests_closed').on('opinion_requests').column('closed_at').execute()
  await db.schema
    .createTable('breed_opinions')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('dog_id', text, (c) => c.notNull().references('opinion_requests.dog_id').onDelete('cascade'))
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('breed_slug', text, (c) => c.notNull())
    .addColumn('reason', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('is_withdrawn', integer, (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('breed_opinions_member')
    .unique()
    .on('breed_opinions')
    .columns(['dog_id', 'user_id'])
    .execute()
  await db.schema
    .createIndex('breed_opinions_tally')
    .on('breed_opinions')
    .columns(['dog_id', 'is_withdrawn', 'breed_slug'])
    .execute()
  await db.schema
    .createIndex('breed_opinions_newest')
    .on('breed_opinions')
    .columns(['dog_id', 'created_at', 'id'])
    .execute()
  await db.schema.createIndex('breed_opinions_user').on('breed_opinions').columns(['user_id', 'id']).execute()
}
