import type { Kysely } from 'kysely'

/** Indexes of the admin's lists: members by date, and dogs by the name in their address. */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.createIndex('profiles_created').on('profiles').columns(['created_at', 'id']).execute()
  await db.schema.createIndex('dogs_path_slug').on('dogs').columns(['path_slug', 'id']).execute()
}
