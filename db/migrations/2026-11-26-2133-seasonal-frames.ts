import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** The seasonal frame of a dog's card. */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('dogs').addColumn('frame', columnTypes(db).text).execute()
}
