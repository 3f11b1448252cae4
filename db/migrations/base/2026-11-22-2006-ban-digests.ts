import type { Kysely } from 'kysely'

/** Digests of the sign-in addresses of banned members who deleted their account, and the digests' key. */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('ban_digests')
    .addColumn('digest', 'text', (c) => c.primaryKey().notNull())
    .addColumn('until', 'integer', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('ban_digests_until').on('ban_digests').columns(['until']).execute()
  await db.schema
    .createTable('ban_keys')
    .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .execute()
}
