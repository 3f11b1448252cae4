import type { Kysely } from 'kysely'

/** The map's worker asks now and then which dogs changed since it last looked. Likes do not touch the column. */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.createIndex('dogs_updated').on('dogs').columns(['updated_at']).execute()
}
