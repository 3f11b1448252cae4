import { sql } from 'kysely'
import { type AnyDb, dialectOf } from './dialect.ts'

export interface RowTrigger {
  name: string
  /** `INSERT ON dogs`, `UPDATE OF size ON dogs`. */
  event: string
  /** SQL that both databases read; `new` and `old` are the row. */
  when?: string
  /** Statements that both databases read, each with its semicolon. */
  body: string
  /** In PostgreSQL it runs at once: the transaction reads what it writes. */
  isImmediate?: boolean
}

/** Creates a trigger that runs once for each changed row, in PostgreSQL at commit. */
export async function createRowTrigger(db: AnyDb, { name, event, when, body, isImmediate }: RowTrigger): Promise<void> {
  const condition = when === undefined ? '' : `WHEN (${when})`
  if (dialectOf(db) === 'sqlite')
    return void (await sql
      .raw(`CREATE TRIGGER ${name} AFTER ${event} FOR EACH ROW ${condition} BEGIN ${body} END`)
      .execute(db))
  await sql
    .raw(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`)
    .execute(db)
  await sql
    .raw(
      `CREATE ${isImmediate ? '' : 'CONSTRAINT'} TRIGGER ${name} AFTER ${event}
        ${isImmediate ? '' : 'DEFERRABLE INITIALLY DEFERRED'} FOR EACH ROW ${condition} EXECUTE FUNCTION ${name}()`,
    )
    .execute(db)
}
