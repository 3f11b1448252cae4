import type { Kysely } from 'kysely'

/** What the whole site has used of a paid service, and since when: a restart does not reset the day. */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('daily_budgets')
    .addColumn('name', 'text', (c) => c.primaryKey().notNull())
    .addColumn('used', 'integer', (c) => c.notNull())
    .addColumn('since', 'integer', (c) => c.notNull())
    .execute()
}
