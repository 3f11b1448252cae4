import type { Kysely } from 'kysely'

/** The map's worker polls for dogs that changed since its last query. Likes do not change the column. */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.createIndex('dogs_updated').on('dogs').columns(['updated_at']).execute()
}
