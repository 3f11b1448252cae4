import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** A way in that was removed, until nobody can say any more that it was not they who did so. */
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('sign_in_alerts').addColumn('removed', columnTypes(db).text).execute()
}
