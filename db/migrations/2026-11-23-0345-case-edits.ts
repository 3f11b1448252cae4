import type { Kysely } from 'kysely'

/** When the author last changed what a case is about: what the admin approved before that was something else. */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('cases')
    .addColumn('edited_at', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
