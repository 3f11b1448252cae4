import { type Kysely, sql } from 'kysely'
import type { Sqlite } from '#db/client.ts'

/** Columns, keys and indexes of all tables, each with what it is. Types, defaults, keys and expressions are PostgreSQL's words. */
export type SchemaShape = Record<string, string>

/** SQLite's and kysely's own. */
const isOwnTable = (name: string): boolean => !/^(sqlite_|kysely_)/.test(name)

const TYPES: Record<string, string> = { text: 'text COLLATE C', integer: 'bigint', real: 'double precision' }

/** Expressions of indexes that the two databases spell otherwise: SQLite's, PostgreSQL's. */
const SPELLINGS: readonly (readonly [string, string])[] = [
  ['cast(weight as integer)', 'trunc(weight)'],
  ["json_extract(snapshot, '$.alias_key')", "(snapshot::jsonb ->> 'alias_key'::text)"],
]

const indexText = (isUnique: boolean, columns: readonly string[], where: string | null) =>
  `${isUnique ? 'unique ' : ''}(${columns.join(', ')})${where ? ` where ${where.replaceAll(/[()]/g, '')}` : ''}`

interface ColumnFacts {
  type: string
  isNullable: boolean
  default: string | null
  isGenerated: boolean
  isCounted: boolean
}
const columnText = ({ type, isNullable, default: value, isGenerated, isCounted }: ColumnFacts) =>
  [
    type,
    isNullable ? 'null' : 'not null',
    ...(value === null ? [] : [`default ${value}`]),
    ...(isGenerated ? ['generated'] : []),
    ...(isCounted ? ['counted'] : []),
  ].join(' ')

/** Parts of a list, separated by commas that are in no brackets. */
function splitList(list: string): string[] {
  const parts = ['']
  let depth = 0
  for (const sign of list) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
    if (sign === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts.map((part) => part.trim())
}

/** The columns and the condition of an index, from the statement that created it. */
function parseIndex(statement: string): { columns: string[]; where: string | null } {
  let text = statement.replace(/\s+/g, ' ').replaceAll('"', '')
  for (const [sqlite, postgres] of SPELLINGS) text = text.replace(sqlite, postgres)
  const [list, where = null] = text
    .slice(text.indexOf('(') + 1)
    .split(/\) where /i)
    .map((part) => part.trim())
  return { columns: splitList(where === null ? list!.slice(0, -1) : list!), where: where?.toLowerCase() ?? null }
}

interface SqliteColumn {
  name: string
  type: string
  notnull: 0 | 1
  dflt_value: string | null
  pk: number
  hidden: number
}

export function readSqliteShape(sqlite: Sqlite): SchemaShape {
  const all = <T>(query: string, ...values: string[]) => sqlite.prepare(query).all(...values) as T[]
  const tables = all<{ name: string; sql: string }>(`SELECT name, sql FROM sqlite_schema WHERE type = 'table'`)
  const shapeOf = (table: string, statement: string): [string, string][] => {
    const columns = all<SqliteColumn>('SELECT * FROM pragma_table_xinfo(?)', table)
    const indexes = all<{ name: string; unique: 0 | 1; origin: string; sql: string | null }>(
      `SELECT l.name, l."unique", l.origin, s.sql FROM pragma_index_list(?) AS l JOIN sqlite_schema AS s ON s.name = l.name`,
      table,
    )
    const keys = all<{ sources: string; table: string; targets: string; on_delete: string; on_update: string }>(
      `SELECT group_concat("from", ', ' ORDER BY seq) AS sources, "table", group_concat("to", ', ' ORDER BY seq) AS targets,
        on_delete, on_update FROM pragma_foreign_key_list(?) GROUP BY id`,
      table,
    )
    const columnsOf = (index: string) =>
      all<{ name: string }>('SELECT name FROM pragma_index_info(?) ORDER BY seqno', index).map(({ name }) => name)
    const action = (on: string, what: string) => (what === 'NO ACTION' ? '' : ` ON ${on} ${what}`)
    const primary = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
    const constraints = [
      `PRIMARY KEY (${primary.map(({ name }) => name).join(', ')})`,
      ...keys.map(
        (key) =>
          `FOREIGN KEY (${key.sources}) REFERENCES ${key.table}(${key.targets})${action('UPDATE', key.on_update)}${action('DELETE', key.on_delete)}`,
      ),
      ...indexes.flatMap(({ name, origin }) => (origin === 'u' ? `UNIQUE (${columnsOf(name).join(', ')})` : [])),
    ]
    return [
      ...columns.map(({ name, type, notnull, dflt_value, pk, hidden }): [string, string] => [
        `${table}.${name}`,
        columnText({
          type: TYPES[type.toLowerCase().replace(' generated always', '')] ?? type,
          isNullable: notnull === 0 && pk === 0,
          default: dflt_value,
          isGenerated: hidden > 1,
          isCounted: pk > 0 && /autoincrement/i.test(statement),
        }),
      ]),
      ...constraints.map((constraint): [string, string] => [`${table} ${constraint}`, 'exists']),
      ...indexes
        .filter(({ origin }) => origin === 'c')
        .map(({ name, unique, sql: text }): [string, string] => {
          const { columns: parts, where } = parseIndex(text!)
          return [`${table} index ${name}`, indexText(unique === 1, parts, where)]
        }),
    ]
  }
  return Object.fromEntries(
    tables.filter(({ name }) => isOwnTable(name)).flatMap(({ name, sql }) => shapeOf(name, sql)),
  )
}

/** PostgreSQL writes types behind texts, and conditions in brackets. */
const plain = (expression: string | null) =>
  expression
    ?.replaceAll(/'::text\b/g, "'")
    .replace(/^\((.*)\)$/, '$1')
    .toLowerCase() ?? null

// oxlint-disable-next-line typescript/no-explicit-any -- any schema
export async function readPostgresShape(db: Kysely<any>): Promise<SchemaShape> {
  const { rows: columns } = await sql<{
    table: string
    name: string
    type: string
    collation: string | null
    isNullable: boolean
    default: string | null
    isGenerated: boolean
    isCounted: boolean
  }>`
    SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, o.collname AS collation,
      NOT a.attnotnull AS "isNullable", pg_get_expr(d.adbin, d.adrelid) AS "default", a.attgenerated <> '' AS "isGenerated",
      a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) = 'next_event_id()' AS "isCounted"
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      LEFT JOIN pg_collation AS o ON o.oid = a.attcollation
    WHERE n.nspname = 'public' AND c.relkind = 'r' AND c.relpersistence = 'p' ORDER BY c.relname, a.attnum`.execute(db)
  const { rows: constraints } = await sql<{ table: string; text: string }>`
    SELECT conrelid::regclass::text AS "table", pg_get_constraintdef(oid) AS text FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f')`.execute(db)
  const { rows: indexes } = await sql<{
    table: string
    name: string
    isUnique: boolean
    columns: string[]
    where: string | null
  }>`
    SELECT i.indrelid::regclass::text AS "table", c.relname AS name, i.indisunique AS "isUnique",
      ARRAY (SELECT pg_get_indexdef(i.indexrelid, k, true) FROM generate_series(1, i.indnkeyatts) AS k ORDER BY k) AS columns,
      pg_get_expr(i.indpred, i.indrelid) AS "where"
    FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
    WHERE c.relnamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_constraint AS o WHERE o.conindid = i.indexrelid AND o.contype IN ('p', 'u'))`.execute(
    db,
  )
  const tables = new Set(columns.map(({ table }) => table).filter(isOwnTable))
  const isOwn = ({ table }: { table: string }) => tables.has(table)
  return Object.fromEntries([
    ...columns.filter(isOwn).map(({ table, type, collation, ...column }) => [
      `${table}.${column.name}`,
      columnText({
        ...column,
        type: collation ? `${type} COLLATE ${collation}` : type,
        default: column.isGenerated || column.isCounted ? null : plain(column.default),
      }),
    ]),
    ...constraints.filter(isOwn).map(({ table, text }) => [`${table} ${text.replaceAll('"', '')}`, 'exists']),
    ...indexes.filter(isOwn).map(({ table, name, isUnique, columns: parts, where }) => {
      const names = parts.map((part) => part.replaceAll('"', ''))
      return [`${table} index ${name}`, indexText(isUnique, names, plain(where))]
    }),
  ]) as SchemaShape
}

/** What the two say differently, one line each. */
export const listDifferences = (sqlite: SchemaShape, postgres: SchemaShape): string[] =>
  [...new Set([...Object.keys(sqlite), ...Object.keys(postgres)])]
    .filter((key) => sqlite[key] !== postgres[key])
    .map((key) => `${key}: SQLite ${sqlite[key] ?? 'has none'}, PostgreSQL ${postgres[key] ?? 'has none'}`)
