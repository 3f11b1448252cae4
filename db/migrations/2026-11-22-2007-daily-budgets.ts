import type { Kysely } from 'kysely'

/** What the whole site has used of something it pays for, since when: a restart does not begin the day anew. */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('daily_budgets')
    .addColumn('name', 'text', (c) => c.primaryKey().notNull())
    .addColumn('used', 'integer', (c) => c.notNull())
    .addColumn('since', 'integer', (c) => c.notNull())
    .execute()
}
