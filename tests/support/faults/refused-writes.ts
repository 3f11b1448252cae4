import { sql } from 'kysely'
import type { Trx as Db } from '#db/client.ts'
import { dialectOf } from '#db/dialect/dialect.ts'

interface RefusedWrites {
  table: string
  event: 'INSERT' | 'DELETE'
  /** Condition on the row, `new` or `old`; by default every row. */
  when?: string
  message: string
}

/** Has the database refuse rows, as a full disk does. @returns ends that */
export async function refuseWrites(
  db: Db,
  { table, event, when, message }: RefusedWrites,
): Promise<() => Promise<void>> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  const condition = when ? `WHEN (${when})` : ''
  if (dialectOf(db) === 'postgres') {
    await run(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '${message}'; END $$`,
    )
    await run(`CREATE TRIGGER refuse BEFORE ${event} ON ${table} FOR EACH ROW ${condition} EXECUTE FUNCTION refuse()`)
    return async () => void (await run('DROP FUNCTION refuse CASCADE'))
  }
  await run(
    `CREATE TRIGGER refuse BEFORE ${event} ON ${table} ${condition} BEGIN SELECT raise(ABORT, '${message}'); END`,
  )
  return async () => void (await run('DROP TRIGGER refuse'))
}
