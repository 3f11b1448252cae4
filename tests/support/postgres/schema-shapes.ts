import { type Kysely, sql } from 'kysely'
import type { Sqlite } from '#db/client.ts'

/** A table as both databases can say it. Types, defaults and expressions are PostgreSQL's words. */
export interface TableShape {
  /** By name: type, null, default, generated. */
  columns: Record<string, string>
  primaryKey: string[]
  foreignKeys: string[]
  uniques: string[]
  /** By name. */
  indexes: Record<string, string>
}
export type SchemaShape = Record<string, TableShape>

/** SQLite's and kysely's own. */
const isOwnTable = (name: string): boolean => !/^(sqlite_|kysely_)/.test(name)

const TYPES: Record<string, string> = { text: 'text COLLATE C', integer: 'bigint', real: 'double precision' }

/** Expressions of indexes that the two databases spell otherwise: SQLite's, PostgreSQL's. */
const SPELLINGS: readonly (readonly [string, string])[] = [
  ['cast(weight as integer)', 'trunc(weight)'],
  ["json_extract(snapshot, '$.alias_key')", "(snapshot::jsonb ->> 'alias_key'::text)"],
]

const bySize = (a: string, b: string) => (a < b ? -1 : 1)
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
  return Object.fromEntries(
    tables
      .filter(({ name }) => isOwnTable(name))
      .map(({ name: table, sql: statement }) => {
        const columns = all<SqliteColumn>('SELECT * FROM pragma_table_xinfo(?)', table)
        const indexes = all<{ name: string; unique: 0 | 1; origin: string; sql: string | null }>(
          `SELECT l.name, l."unique", l.origin, s.sql FROM pragma_index_list(?) AS l JOIN sqlite_schema AS s ON s.name = l.name`,
          table,
        )
        const keys = all<{ id: number; table: string; from: string; to: string; on_delete: string; on_update: string }>(
          'SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq',
          table,
        )
        const columnsOf = (index: string) =>
          all<{ name: string }>('SELECT name FROM pragma_index_info(?) ORDER BY seqno', index).map(({ name }) => name)
        return [
          table,
          {
            columns: Object.fromEntries(
              columns.map(({ name, type, notnull, dflt_value, pk, hidden }) => [
                name,
                columnText({
                  type: TYPES[type.toLowerCase().replace(' generated always', '')] ?? type,
                  isNullable: notnull === 0 && pk === 0,
                  default: dflt_value,
                  isGenerated: hidden > 1,
                  isCounted: pk > 0 && /autoincrement/i.test(statement),
                }),
              ]),
            ),
            primaryKey: columns
              .filter(({ pk }) => pk > 0)
              .toSorted((a, b) => a.pk - b.pk)
              .map(({ name }) => name),
            foreignKeys: [...Map.groupBy(keys, ({ id }) => id).values()]
              .map((parts) => {
                const [{ table: target, on_delete, on_update }] = parts as [(typeof parts)[number]]
                const [from, to] = [parts.map((part) => part.from), parts.map((part) => part.to)]
                return `(${from.join(', ')}) ${target} (${to.join(', ')}) ${on_delete.toLowerCase()} ${on_update.toLowerCase()}`
              })
              .toSorted(bySize),
            uniques: indexes
              .filter(({ origin }) => origin === 'u')
              .map(({ name }) => columnsOf(name).join(', '))
              .toSorted(bySize),
            indexes: Object.fromEntries(
              indexes
                .filter(({ origin }) => origin === 'c')
                .map(({ name, unique, sql: text }) => {
                  const index = parseIndex(text!)
                  return [name, indexText(unique === 1, index.columns, index.where)]
                }),
            ),
          },
        ]
      }),
  )
}

const ACTIONS: Record<string, string> = { a: 'no action', c: 'cascade', n: 'set null', r: 'restrict' }

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
  const { rows: constraints } = await sql<{
    table: string
    kind: string
    columns: string[]
    target: string | null
    targets: string[] | null
    onDelete: string
    onUpdate: string
  }>`
    SELECT c.conrelid::regclass::text AS "table", c.contype AS kind, c.confdeltype AS "onDelete", c.confupdtype AS "onUpdate",
      CASE WHEN c.confrelid <> 0 THEN c.confrelid::regclass::text END AS target,
      ARRAY (SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY AS k (num, place)
        JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = k.num ORDER BY k.place) AS columns,
      ARRAY (SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY AS k (num, place)
        JOIN pg_attribute AS a ON a.attrelid = c.confrelid AND a.attnum = k.num ORDER BY k.place) AS targets
    FROM pg_constraint AS c WHERE c.connamespace = 'public'::regnamespace AND c.contype IN ('p', 'u', 'f')`.execute(db)
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
  const names = [...new Set(columns.map(({ table }) => table))].filter(isOwnTable)
  return Object.fromEntries(
    names.map((table) => {
      const own = constraints.filter((constraint) => constraint.table === table)
      const shape: TableShape = {
        columns: Object.fromEntries(
          columns
            .filter((column) => column.table === table)
            .map(({ type, collation, ...column }) => [
              column.name,
              columnText({
                ...column,
                type: collation ? `${type} COLLATE ${collation}` : type,
                default: column.isGenerated || column.isCounted ? null : plain(column.default),
              }),
            ]),
        ),
        primaryKey: own.find(({ kind }) => kind === 'p')?.columns ?? [],
        foreignKeys: own
          .filter(({ kind }) => kind === 'f')
          .map((key) => {
            const actions = `${ACTIONS[key.onDelete]} ${ACTIONS[key.onUpdate]}`
            return `(${key.columns.join(', ')}) ${key.target} (${key.targets!.join(', ')}) ${actions}`
          })
          .toSorted(bySize),
        uniques: own
          .filter(({ kind }) => kind === 'u')
          .map((key) => key.columns.join(', '))
          .toSorted(bySize),
        indexes: Object.fromEntries(
          indexes
            .filter((index) => index.table === table)
            .map(({ name, isUnique, columns: parts, where }) => [
              name,
              indexText(
                isUnique,
                parts.map((part) => part.replaceAll('"', '')),
                plain(where),
              ),
            ]),
        ),
      }
      return [table, shape]
    }),
  )
}

/** What the two say differently, one line each. */
export function listDifferences(sqlite: SchemaShape, postgres: SchemaShape): string[] {
  const flatten = (schema: SchemaShape) =>
    new Map(
      Object.entries(schema).flatMap(([table, shape]) => [
        ...Object.entries(shape.columns).map(([name, text]) => [`${table}.${name}`, text] as const),
        [`${table} primary key`, shape.primaryKey.join(', ')] as const,
        ...shape.foreignKeys.map((key) => [`${table} foreign key ${key}`, 'exists'] as const),
        ...shape.uniques.map((key) => [`${table} unique ${key}`, 'exists'] as const),
        ...Object.entries(shape.indexes).map(([name, text]) => [`${table} index ${name}`, text] as const),
      ]),
    )
  const [first, second] = [flatten(sqlite), flatten(postgres)]
  return [...new Set([...first.keys(), ...second.keys()])]
    .filter((key) => first.get(key) !== second.get(key))
    .map((key) => `${key}: SQLite ${first.get(key) ?? 'has none'}, PostgreSQL ${second.get(key) ?? 'has none'}`)
}
