import { type Kysely, sql } from 'kysely'

/** Mapbox's results for texts that the gazetteer does not know; a row without a place: Mapbox knew none either. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`CREATE TABLE geocodes (
    key TEXT PRIMARY KEY,
    lon REAL,
    lat REAL,
    place_name TEXT,
    created_at INTEGER NOT NULL) WITHOUT ROWID`.execute(db)
  await sql`CREATE INDEX geocodes_age ON geocodes (created_at)`.execute(db)
}
