import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** Who ended a conversation. */
export const up = (db: Kysely<any>): Promise<void> =>
  db.schema.alterTable('contact_threads').addColumn('ended', columnTypes(db).text).execute()
