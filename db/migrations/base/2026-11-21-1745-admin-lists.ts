import type { Kysely } from 'kysely'

/** What the admin's lists read in order: the newest members, and dogs by name as their address spells it. */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.createIndex('profiles_created').on('profiles').columns(['created_at', 'id']).execute()
  await db.schema.createIndex('dogs_path_slug').on('dogs').columns(['path_slug', 'id']).execute()
}
