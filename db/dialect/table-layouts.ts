import { sql } from 'kysely'
import { type AnyDb, dialectOf } from './dialect.ts'

/** A table as a copy needs it. */
export interface TableLayout {
  name: string
  /** Columns with a value of their own, in the table's order: not those that the database computes. */
  columns: string[]
  /** The columns of the primary key, in its order. */
  key: string[]
  /** The column whose values the database counts up, if there is one. */
  counter: string | null
}

/** The names of all tables but SQLite's own, sorted. */
export async function listTableNames(db: AnyDb): Promise<string[]> {
  const { rows } = await (
    dialectOf(db) === 'postgres'
      ? sql<{ name: string }>`SELECT relname AS name FROM pg_class
          WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY relname COLLATE "C"`
      : sql<{ name: string }>`SELECT name FROM sqlite_schema
          WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`
  ).execute(db)
  return rows.map(({ name }) => name)
}

interface ColumnRow {
  table_name: string
  name: string
  /** Place in the primary key from 1; 0 outside it. */
  key_place: number
  is_counter: 0 | 1
}

const SQLITE_COLUMNS = sql<ColumnRow>`
  SELECT t.name AS table_name, c.name, c.pk AS key_place,
    c.pk = 1 AND t.sql LIKE '%AUTOINCREMENT%' AS is_counter
  FROM sqlite_schema AS t, pragma_table_xinfo(t.name) AS c
  WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE 'kysely_%' AND c.hidden = 0
  ORDER BY t.name, c.cid`

const POSTGRES_COLUMNS = sql<ColumnRow>`
  SELECT t.relname AS table_name, c.attname AS name,
    coalesce(array_position(i.indkey::int2[], c.attnum), -1) + 1 AS key_place,
    (c.attidentity <> '')::int AS is_counter
  FROM pg_class AS t
    JOIN pg_attribute AS c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped AND c.attgenerated = ''
    LEFT JOIN pg_index AS i ON i.indrelid = t.oid AND i.indisprimary
  WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind = 'r' AND t.relname NOT LIKE 'kysely_%'
    AND t.relpersistence = 'p' -- Unlogged: the nodes' log and memory, which are no data (postgres/).
  ORDER BY t.relname COLLATE "C", c.attnum`

const SQLITE_REFERENCES = sql<{ table_name: string; target: string }>`
  SELECT DISTINCT t.name AS table_name, f."table" AS target
  FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f WHERE t.type = 'table'`

const POSTGRES_REFERENCES = sql<{ table_name: string; target: string }>`
  SELECT DISTINCT t.relname AS table_name, r.relname AS target
  FROM pg_constraint AS f JOIN pg_class AS t ON t.oid = f.conrelid JOIN pg_class AS r ON r.oid = f.confrelid
  WHERE f.contype = 'f' AND t.relnamespace = current_schema()::regnamespace`

/** The tables of a migrated database, each after those that it refers to. @throws where tables refer to each other in a circle */
export async function listTableLayouts(db: AnyDb): Promise<TableLayout[]> {
  const isPostgres = dialectOf(db) === 'postgres'
  const { rows: columns } = await (isPostgres ? POSTGRES_COLUMNS : SQLITE_COLUMNS).execute(db)
  const { rows: references } = await (isPostgres ? POSTGRES_REFERENCES : SQLITE_REFERENCES).execute(db)
  const layouts = [...Map.groupBy(columns, ({ table_name }) => table_name)].map(([name, rows]) => ({
    name,
    columns: rows.map((column) => column.name),
    key: rows
      .filter(({ key_place }) => key_place > 0)
      .toSorted((a, b) => a.key_place - b.key_place)
      .map((column) => column.name),
    counter: rows.find(({ is_counter }) => is_counter === 1)?.name ?? null,
  }))
  const targets = Map.groupBy(references, ({ table_name }) => table_name)
  const sorted = new Map<string, TableLayout>()
  while (sorted.size < layouts.length) {
    const ready = layouts.filter(
      ({ name }) =>
        !sorted.has(name) && (targets.get(name) ?? []).every(({ target }) => target === name || sorted.has(target)),
    )
    if (ready.length === 0) throw new Error('Tables refer to each other in a circle')
    for (const layout of ready) sorted.set(layout.name, layout)
  }
  return [...sorted.values()]
}
