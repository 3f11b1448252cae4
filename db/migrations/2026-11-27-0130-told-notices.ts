import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** Of how many found notices an owner was told on a day, for each of their dogs; and an index of those of which they are still to be told. */
export async function up(db: Kysely<any>): Promise<void> {
  const { integer } = columnTypes(db)
  for (const column of ['told_day', 'told_count'])
    await db.schema
      .alterTable('lost_history')
      .addColumn(column, integer, (c) => c.notNull().defaultTo(0))
      .execute()
  await db.schema.createIndex('found_matches_told').on('found_matches').columns(['told_at', 'score']).execute()
}
