import { type Kysely, sql } from 'kysely'

/**
 * When a part of the sitemap last changed. A part contains the dogs, or the members, whose ids begin with the same two digits: its
 * newest change is the last entry in the index.
 */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`CREATE INDEX dogs_sitemap ON dogs (substr(id, 1, 2), updated_at)`.execute(db)
  await sql`CREATE INDEX member_dogs_sitemap ON member_dogs (substr(user_id, 1, 2), created_at)`.execute(db)
}
