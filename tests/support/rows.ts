import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Trx as Db, sqliteOf } from '#db/client.ts'
import { dialectOf } from '#db/dialect/dialect.ts'
import type { Schema } from '#db/schema.ts'

export type Row = Record<string, unknown>

/** The rows of every table, by its name, in no order. */
export async function readAllRows(db: Db): Promise<Record<string, Row[]>> {
  const tables = (await db.introspection.getTables()).filter(({ name }) => !name.startsWith('sqlite_'))
  const rows: Record<string, Row[]> = {}
  for (const { name } of tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    rows[name] = (await sql<Row>`SELECT * FROM ${sql.table(name)}`.execute(db)).rows
  return rows
}

/** What nodes on PostgreSQL remember together, such as limits, and tell each other: a process has it in memory. */
async function listNodeMemory(db: Db): Promise<string[]> {
  if (dialectOf(db) === 'sqlite') return []
  const { rows } = await sql<{ name: string }>`SELECT relname AS name FROM pg_class
    WHERE relpersistence = 'u' AND relkind = 'r'`.execute(db)
  return rows.map(({ name }) => name)
}

/** The rows of every table but the nodes' memory, as sorted texts: to be compared. */
export async function readStoredRows(db: Db): Promise<Record<string, string[]>> {
  const memory = await listNodeMemory(db)
  const tables = Object.entries(await readAllRows(db)).filter(([table]) => !memory.includes(table))
  return Object.fromEntries(tables.map(([table, rows]) => [table, rows.map((row) => JSON.stringify(row)).toSorted()]))
}

/** Writes rows as they are: no action, no rule. */
export async function insert<T extends keyof Schema>(
  db: Db,
  table: T,
  values: Insertable<Schema[T]> | Insertable<Schema[T]>[],
): Promise<void> {
  await db
    .insertInto(table as 'users')
    .values(values as never)
    .execute()
}

type Key<T extends keyof Schema> = Partial<Selectable<Schema[T]>>

/** Changes all rows with these values as they are: no action, no rule. */
export async function update<T extends keyof Schema>(
  db: Db,
  table: T,
  key: Key<T>,
  fields: Updateable<Schema[T]>,
): Promise<void> {
  const changed = db.updateTable(table as 'users').set(fields as never)
  await changed.where((eb) => eb.and(key as object)).execute()
}

/** The first row with these values. @throws when there is none */
export async function rowOf<T extends keyof Schema>(db: Db, table: T, key: Key<T>): Promise<Selectable<Schema[T]>> {
  const query = db.selectFrom(table as 'users').selectAll()
  return (await query.where((eb) => eb.and(key as object)).executeTakeFirstOrThrow()) as never
}

/** How many rows the table has. */
export async function countRows(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`SELECT count(*) AS rows FROM ${sql.table(table)}`.execute(db)
  return rows[0]!.rows
}

/** References to rows that do not exist. PostgreSQL, whose constraints are always on, has none. */
export const listBrokenReferences = (db: Db): unknown[] =>
  dialectOf(db) === 'postgres' ? [] : (sqliteOf(db).pragma('foreign_key_check') as unknown[])
