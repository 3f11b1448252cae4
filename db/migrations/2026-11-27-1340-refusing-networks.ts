import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** From which network a sighting was refused, or a notice reported: several accounts of one count as one. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text } = columnTypes(db)
  await db.schema.alterTable('sighting_refusals').addColumn('owner_network', text).execute()
  await db.schema
    .createIndex('sighting_refusals_owner_network')
    .on('sighting_refusals')
    .column('owner_network')
    .execute()
}
