import { type Kysely, sql } from 'kysely'

/** What stands in a photo's place until it has come: sixteen colours. Null until they are known, empty where they cannot be. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE dog_images ADD COLUMN blur TEXT`.execute(db)
  // Empty once every photo has them.
  await sql`CREATE INDEX dog_images_unblurred ON dog_images (dog_id) WHERE blur IS NULL`.execute(db)
}
