import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** The texts of a public dog that wait in its case: they replace what everybody reads once the admin publishes them. */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('cases').addColumn('proposed', columnTypes(db).text).execute()
}
