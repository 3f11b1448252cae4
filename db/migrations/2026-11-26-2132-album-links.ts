import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** Links by which members show which breeds they lack, and the indexes by which albums are read of one role. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('album_links')
    .addColumn('user_id', text, (c) => c.primaryKey().notNull().references('users.id').onDelete('cascade'))
    .addColumn('token_hash', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('album_links_token').unique().on('album_links').columns(['token_hash']).execute()
  for (const role of ['owner', 'discoverer'])
    await db.schema
      .createIndex(`dogs_${role}_breed`)
      .on('dogs')
      .columns([`${role}_id`, 'breed_slug', 'created_at', 'id'])
      .where(sql.ref(`${role}_id`), 'is not', null)
      .execute()
}
