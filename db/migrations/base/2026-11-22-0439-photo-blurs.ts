import { type Kysely, sql } from 'kysely'

/** Sixteen colours in a photo's place while it loads. Null until the backfill has set them, empty where the photo cannot be read. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE dog_images ADD COLUMN blur TEXT`.execute(db)
  // Empty once every photo has them.
  await sql`CREATE INDEX dog_images_unblurred ON dog_images (dog_id) WHERE blur IS NULL`.execute(db)
}
