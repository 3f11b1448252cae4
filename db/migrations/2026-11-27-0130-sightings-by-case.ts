import type { Kysely } from 'kysely'

/** The sightings of a case in the last day: they are counted while others of the case wait. */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.createIndex('sightings_case_created').on('sightings').columns(['case_id', 'created_at']).execute()
}
