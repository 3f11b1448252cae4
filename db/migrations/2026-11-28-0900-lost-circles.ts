import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** The circle of a place stays for the owner's next cases, and networks of new members, which are compared no more, are forgotten. */
export async function up(db: Kysely<any>): Promise<void> {
  const { real } = columnTypes(db)
  for (const column of ['circle_lat', 'circle_lon'])
    await db.schema.alterTable('lost_history').addColumn(column, real).execute()
  await db.updateTable('lost_alerted_dogs').set({ network: null }).execute()
  await db.updateTable('lost_cases').set({ alerts: null }).where('alerts', '=', 'network').execute()
}
