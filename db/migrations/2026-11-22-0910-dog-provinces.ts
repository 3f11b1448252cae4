import { type Kysely, sql } from 'kysely'

/**
 * The province of a dog's zone, by which the open data is filtered: its INE number, empty where the zone names none, null
 * until somebody has looked (features/dogs/province-backfill.server.ts: the gazetteer is no part of a migration).
 */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE dogs ADD COLUMN province TEXT`.execute(db)
  await sql`CREATE INDEX dogs_province_created ON dogs (province, created_at, id)`.execute(db)
  await sql`CREATE INDEX dogs_breed_province_created ON dogs (breed_slug, province, created_at, id)`.execute(db)
  // Empty once every dog's is known.
  await sql`CREATE INDEX dogs_unplaced ON dogs (id) WHERE province IS NULL`.execute(db)
}
