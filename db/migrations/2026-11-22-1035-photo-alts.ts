import { type Kysely, sql } from 'kysely'

/** What a photo shows, in the words of who uploaded it. Null where they said nothing: it is composed then. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE dog_images ADD COLUMN alt TEXT`.execute(db)
}
