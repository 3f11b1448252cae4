import type { Kysely } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** A living code is mailed again instead of a new one: its row counts its mails, and when the last went out. */
export async function up(db: Kysely<any>): Promise<void> {
  const { integer } = columnTypes(db)
  await db.schema
    .alterTable('sign_in_tokens')
    .addColumn('mails', integer, (c) => c.notNull().defaultTo(1))
    .execute()
  await db.schema.alterTable('sign_in_tokens').addColumn('mailed_at', integer).execute()
}
