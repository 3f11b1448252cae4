import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/**
 * Sightings and found notices that wait for the admin are hidden as other content is. Who was to see it is not told from `state`: a sighting is
 * `delivered` or `refused`, a notice `open` or `closed`.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const { integer } = columnTypes(db)
  for (const index of ['sightings_state', 'found_notices_state', 'found_notices_shown'])
    await db.schema.dropIndex(index).execute()
  for (const table of ['sightings', 'found_notices']) {
    await db.schema.alterTable(table).renameTo(`${table}_all`).execute()
    await db.schema
      .alterTable(`${table}_all`)
      .addColumn('hidden', integer, (c) => c.notNull().defaultTo(0))
      .execute()
  }
  // 2: it was reported. 1: its sender is reviewed.
  await sql`UPDATE sightings_all SET state = 'delivered', hidden = CASE is_reported WHEN 1 THEN 2 ELSE 1 END
    WHERE state = 'review'`.execute(db)
  await sql`UPDATE found_notices_all SET state = 'open', hidden = CASE WHEN EXISTS (SELECT 1 FROM found_reports AS r
      WHERE r.notice_id = found_notices_all.id AND r.claim_id IS NULL) THEN 2 ELSE 1 END
    WHERE state = 'review'`.execute(db)
  await db.schema.alterTable('sightings_all').dropColumn('is_reported').execute()
  for (const table of ['sightings', 'found_notices'])
    await sql.raw(`CREATE INDEX ${table}_waiting ON ${table}_all (created_at, id) WHERE hidden <> 0`).execute(db)
  await sql`CREATE INDEX found_notices_shown ON found_notices_all (shown_lat, shown_lon)
    WHERE hidden = 0 AND state = 'open'`.execute(db)
}
