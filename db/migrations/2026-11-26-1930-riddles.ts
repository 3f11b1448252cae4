import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** The riddle of each day, and the guesses of members. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text, integer } = columnTypes(db)
  await db.schema
    .createTable('riddles')
    .addColumn('day', text, (c) => c.primaryKey().notNull())
    .addColumn('breed_slug', text, (c) => c.notNull())
    .addColumn('secret', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('riddle_guesses')
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('day', text, (c) => c.notNull())
    .addColumn('position', integer, (c) => c.notNull())
    .addColumn('breed_slug', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('riddle_guesses_primary', ['user_id', 'day', 'position'])
    .execute()
}
