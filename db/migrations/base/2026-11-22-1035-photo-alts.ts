import { type Kysely, sql } from 'kysely'

/** A photo's alternative text by its uploader. Null where there is none: it is composed then. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE dog_images ADD COLUMN alt TEXT`.execute(db)
}
