import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** How many of a member's alerts of the day were of new members' dogs. */
export async function up(db: Kysely<any>): Promise<void> {
  const { integer } = columnTypes(db)
  await db.schema
    .alterTable('lost_alert_settings')
    .addColumn('alerted_near', integer, (c) => c.notNull().defaultTo(0))
    .execute()
}
