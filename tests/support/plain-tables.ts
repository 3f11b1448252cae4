import { sql } from 'kysely'
import { migrate, type Trx as Db } from '#db/client.ts'
import type { VIEWS } from '#db/content.ts'

/** Runs a migration from when this table had the name of its view. */
export async function withPlainTable(db: Db, view: keyof typeof VIEWS, run: () => Promise<unknown>): Promise<void> {
  const change = (statement: string) => sql.raw(statement).execute(db)
  // Triggers are left as they are: they name both.
  await change('PRAGMA legacy_alter_table = ON')
  await change(`DROP VIEW ${view}`)
  await change(`ALTER TABLE ${view}_all RENAME TO ${view}`)
  await run()
  await change(`ALTER TABLE ${view} RENAME TO ${view}_all`)
  await change('PRAGMA legacy_alter_table = OFF')
  await migrate(db)
}
