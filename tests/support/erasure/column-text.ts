import { sql } from 'kysely'
import type { Trx as Db, Sqlite } from '#db/client.ts'

const tablesOf = (sqlite: Sqlite) =>
  sqlite
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'kysely_%'`,
    )
    .pluck()
    .all() as string[]

/** `table.column` of every column that may hold text, as the migrations left them. */
export const listTextColumns = (sqlite: Sqlite): string[] =>
  tablesOf(sqlite).flatMap((table) =>
    (sqlite.pragma(`table_xinfo("${table}")`) as { name: string; type: string }[])
      .filter(({ type }) => /TEXT|CLOB|CHAR|BLOB|JSON|^$/i.test(type))
      .map(({ name }) => `${table}.${name}`),
  )

/** Everything that stands in a column, in lower case. `of` narrows rows of bells to those of one member. */
export async function readColumnText(db: Db, column: string, of?: string): Promise<string> {
  const [table, name] = column.split('.') as [string, string]
  const where = of ? sql`WHERE user_id = ${of}` : sql``
  const { rows } = await sql<{ text: unknown }>`
    SELECT ${sql.ref(name)} AS text FROM ${sql.table(table)} ${where}`.execute(db)
  return rows
    .map(({ text }) => text)
    .join('\n')
    .toLowerCase()
}
