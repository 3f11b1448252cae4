import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** From which networks notices are reported, and new members' dogs announced: several accounts of one count as one. */
export async function up(db: Kysely<any>): Promise<void> {
  const { text } = columnTypes(db)
  for (const table of ['found_reports', 'lost_alerted_dogs'])
    await db.schema.alterTable(table).addColumn('network', text).execute()
  await db.schema.createIndex('lost_alerted_dogs_network').on('lost_alerted_dogs').column('network').execute()
}
