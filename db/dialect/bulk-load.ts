import { type Kysely, sql } from 'kysely'
import { type AnyDb, dialectOf } from './dialect.ts'
import type { TableLayout } from './table-layouts.ts'

/** The statements that switch the triggers of counts off, for rows that come with theirs, and those that switch them on again. */
export async function listTriggerStatements(
  db: AnyDb,
  layouts: readonly TableLayout[],
): Promise<{ disable: string[]; enable: string[] }> {
  if (dialectOf(db) === 'postgres') {
    const alter = (action: string) => layouts.map(({ name }) => `ALTER TABLE "${name}" ${action} TRIGGER USER`)
    return { disable: alter('DISABLE'), enable: alter('ENABLE') }
  }
  const { rows } = await sql<{ name: string; statement: string }>`
    SELECT name, sql AS statement FROM sqlite_schema WHERE type = 'trigger' ORDER BY name`.execute(db)
  return { disable: rows.map(({ name }) => `DROP TRIGGER "${name}"`), enable: rows.map(({ statement }) => statement) }
}

/** Continues the counters behind the highest value that was copied into their columns. */
export async function alignCounters(db: AnyDb, layouts: readonly TableLayout[]): Promise<void> {
  // SQLite's AUTOINCREMENT follows the rows by itself.
  if (dialectOf(db) === 'sqlite') return
  for (const { name, counter } of layouts)
    if (counter !== null)
      await sql`SELECT setval(pg_get_serial_sequence(${name}, ${counter}), max(${sql.ref(counter)}))
        FROM ${sql.table(name)} HAVING max(${sql.ref(counter)}) IS NOT NULL`.execute(db)
}

/** Values of one statement: SQLite takes 32,766, PostgreSQL 65,535. */
const MAX_VALUES = 30_000

/** Inserts whole rows, as many with one statement as it takes. */
export async function insertRows(
  // oxlint-disable-next-line typescript/no-explicit-any -- of any table
  trx: Kysely<any>,
  { name, columns }: TableLayout,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const perStatement = Math.max(1, Math.floor(MAX_VALUES / columns.length))
  for (let from = 0; from < rows.length; from += perStatement)
    await trx
      .insertInto(name)
      .values(rows.slice(from, from + perStatement))
      .execute()
}

/** At most `limit` rows behind `after`, a row of the table, in the order of the key: both databases sort alike. */
export async function readRowsAfter(
  db: AnyDb,
  { name, columns, key }: TableLayout,
  after: Record<string, unknown> | null,
  limit: number,
): Promise<Record<string, unknown>[]> {
  const keyList = sql.join(key.map((column) => sql.ref(column)))
  const where = after && sql`WHERE (${keyList}) > (${sql.join(key.map((column) => after[column]))})`
  const { rows } = await sql<Record<string, unknown>>`
    SELECT ${sql.join(columns.map((column) => sql.ref(column)))} FROM ${sql.table(name)} ${where ?? sql``}
    ORDER BY ${keyList} LIMIT ${sql.lit(limit)}`.execute(db)
  return rows
}

/** How many rows the table has. */
export async function countTableRows(db: AnyDb, name: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(name)}`.execute(db)
  return rows[0]?.count ?? 0
}
