import { type Kysely, sql } from 'kysely'

/**
 * The province of a dog's zone, a filter of the open data: its INE number, empty where the zone names none, null until
 * features/dogs/province-backfill.server.ts has set it (a migration has no gazetteer).
 */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE dogs ADD COLUMN province TEXT`.execute(db)
  await sql`CREATE INDEX dogs_province_created ON dogs (province, created_at, id)`.execute(db)
  await sql`CREATE INDEX dogs_breed_province_created ON dogs (breed_slug, province, created_at, id)`.execute(db)
  // Empty when every dog has its province.
  await sql`CREATE INDEX dogs_unplaced ON dogs (id) WHERE province IS NULL`.execute(db)
}
