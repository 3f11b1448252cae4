import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/**
 * Members, breeds and zones that members follow, whose followers are still to be told of a new dog, and whether a member is told in the
 * bell and by the weekly mail.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('follows')
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', text, (c) => c.notNull())
    .addColumn('target_id', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('follows_primary', ['user_id', 'kind', 'target_id'])
    .execute()
  // The followers of a target, in the order of their ids: they are counted, and told of new dogs.
  await db.schema.createIndex('follows_target').on('follows').columns(['kind', 'target_id', 'user_id']).execute()
  // A member's own list, latest first.
  await db.schema
    .createIndex('follows_list')
    .on('follows')
    .columns(['user_id', 'created_at', 'kind', 'target_id'])
    .execute()
  await db.schema
    .createTable('follow_alerts')
    .addColumn('dog_id', text, (c) => c.notNull().references('dogs.id').onDelete('cascade'))
    .addColumn('kind', text, (c) => c.notNull())
    .addColumn('target_id', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('position', text, (c) => c.notNull().defaultTo(''))
    .addPrimaryKeyConstraint('follow_alerts_primary', ['dog_id', 'kind', 'target_id'])
    .execute()
  await db.schema.createIndex('follow_alerts_created').on('follow_alerts').columns(['created_at']).execute()
  for (const name of ['follows', 'follows_digest'])
    await sql`ALTER TABLE notice_settings ADD COLUMN ${sql.id(name)} ${integer} NOT NULL DEFAULT 1`.execute(db)
}
