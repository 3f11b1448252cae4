import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/**
 * The years that members and the community look back on, the links to them, and «Tal día». Rows of a year name dogs and a member by
 * foreign keys: the year goes with any of them, and is computed again.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('member_years')
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('year', integer, (c) => c.notNull())
    .addColumn('stamp', text, (c) => c.notNull())
    .addColumn('figures', text, (c) => c.notNull())
    .addColumn('first_dog_id', text, (c) => c.references('dogs.id').onDelete('cascade'))
    .addColumn('last_dog_id', text, (c) => c.references('dogs.id').onDelete('cascade'))
    .addColumn('liked_dog_id', text, (c) => c.references('dogs.id').onDelete('cascade'))
    .addColumn('fan_id', text, (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('computed_at', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('member_years_primary', ['user_id', 'year'])
    .execute()
  // A deleted dog or member finds the years that name it by index.
  for (const column of ['first_dog_id', 'last_dog_id', 'liked_dog_id', 'fan_id'])
    await db.schema.createIndex(`member_years_${column}`).on('member_years').columns([column]).execute()
  await db.schema
    .createTable('year_links')
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('year', integer, (c) => c.notNull())
    .addColumn('token_hash', text, (c) => c.notNull().unique())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('year_links_primary', ['user_id', 'year'])
    .execute()
  await db.schema
    .createTable('community_years')
    .addColumn('year', integer, (c) => c.primaryKey().notNull())
    .addColumn('figures', text, (c) => c.notNull())
    .addColumn('computed_at', integer, (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('memory_runs')
    .addColumn('day', integer, (c) => c.primaryKey().notNull())
    .addColumn('cursor_at', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('cursor_id', text, (c) => c.notNull().defaultTo(''))
    .addColumn('done', integer, (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('notifications').addColumn('topic', text).execute()
  await db.schema
    .alterTable('notice_settings')
    .addColumn('memories', integer, (c) => c.notNull().defaultTo(1))
    .execute()
}
