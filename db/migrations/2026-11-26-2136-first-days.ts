import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** The steps of a new member that are over. Who is a member already has had their first days. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('first_days')
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('step', text, (c) => c.notNull())
    .addColumn('closed_at', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('first_days_primary', ['user_id', 'step'])
    .execute()
  await db
    .insertInto('first_days')
    .columns(['user_id', 'step', 'closed_at'])
    .expression(db.selectFrom('users').select(['id', sql<string>`'all'`.as('step'), 'created_at']))
    .execute()
}
