import { sqliteOf } from '#db/client.ts'
import { VIEWS } from '#db/content.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { type ColumnShape, readTypedColumns, type TableShapes } from '#tests/support/table-types.ts'
import { assert, assertNone, type Db, suite } from '#tests/support/suites.ts'

// db/tables is written by hand beside the migrations: here both say the same of every column.

const tables = suite('unit/db/table-types')

interface ColumnInfo {
  name: string
  type: string
  notnull: 0 | 1
  dflt_value: string | null
  pk: number
}

/** SQLite's own and kysely's. */
const OTHER_TABLES = /^(sqlite_|kysely_)/
/** A view's columns are those of its table (db/content.ts). */
const isOfView = (column: string) => Object.keys(VIEWS).some((view) => column.startsWith(`${view}.`))

/** The columns of a migrated database, generated ones included. */
function readMigratedColumns(db: Db): TableShapes {
  const sqlite = sqliteOf(db)
  const names = sqlite.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).pluck().all().map(String)
  return Object.fromEntries(
    names
      .filter((name) => !OTHER_TABLES.test(name))
      .flatMap((table) => {
        const columns = sqlite.prepare<[string], ColumnInfo>('SELECT * FROM pragma_table_xinfo(?)').all(table)
        const isRowid = (column: ColumnInfo) =>
          column.pk > 0 && /^integer$/i.test(column.type) && columns.filter(({ pk }) => pk > 0).length === 1
        return columns.map((column): [string, ColumnShape] => {
          const isNullable = column.notnull === 0 && column.pk === 0
          const hasDefault = isRowid(column) ? undefined : !isNullable && column.dflt_value !== null
          return [`${table}.${column.name}`, { affinity: toAffinity(column.type), isNullable, hasDefault }]
        })
      }),
  )
}

/** The rules of https://sqlite.org/datatype3.html#determination_of_column_affinity, as far as the migrations use them. */
function toAffinity(type: string): string {
  if (/int|real|floa|doub/i.test(type)) return 'number'
  return /char|clob|text/i.test(type) ? 'TEXT' : type.toUpperCase()
}

const isSame = (typed: ColumnShape | undefined, migrated: ColumnShape | undefined): boolean =>
  typed?.affinity === migrated?.affinity &&
  typed?.isNullable === migrated?.isNullable &&
  (typed?.hasDefault === migrated?.hasDefault || (migrated !== undefined && migrated.hasDefault === undefined))

/** Stricter in the types than in the database, with the reason. */
const STRICTER_TYPES: Record<string, string> = {
  'sessions.public_id': 'ALTER TABLE added it without NOT NULL; lucia writes it with every session',
}

/** What one side says and the other does not. */
const differences = (typed: TableShapes, migrated: TableShapes) =>
  [...new Set([...Object.keys(typed), ...Object.keys(migrated)])]
    .filter((column) => !isOfView(column) && !isSame(typed[column], migrated[column]))
    .map((column) => `${column}: typed ${JSON.stringify(typed[column])}, migrated ${JSON.stringify(migrated[column])}`)

tables('every migrated table and column is typed, and no other is', async () => {
  await using db = sqliteDb()
  const migrated = readMigratedColumns(db)
  const typed = readTypedColumns()
  assert.ok(Object.keys(migrated).length > 200, `${Object.keys(migrated).length} columns`)
  const found = differences(typed, migrated)
  assertNone(found, (line) => !Object.keys(STRICTER_TYPES).some((column) => line.startsWith(`${column}:`)))
  assert.is(found.length, Object.keys(STRICTER_TYPES).length, 'STRICTER_TYPES names columns that do not differ')
})

tables('an additional, missing or nullable column, or another type, is a difference', async () => {
  await using db = sqliteDb()
  const before = readMigratedColumns(db)
  const sqlite = sqliteOf(db)
  sqlite.exec('ALTER TABLE blocks ADD COLUMN note TEXT')
  sqlite.exec('CREATE TABLE spare (id INTEGER PRIMARY KEY, words TEXT NOT NULL, size REAL)')
  const after = readMigratedColumns(db)
  const changed = differences(before, after).map((line) => line.split(':')[0])
  assert.equal(changed, ['blocks.note', 'spare.id', 'spare.words', 'spare.size'])
  assert.equal(after['spare.id'], { affinity: 'number', isNullable: false, hasDefault: undefined })
  assert.equal(after['spare.words'], { affinity: 'TEXT', isNullable: false, hasDefault: false })
  assert.equal(after['spare.size'], { affinity: 'number', isNullable: true, hasDefault: false })
  const text = { affinity: 'TEXT', isNullable: false, hasDefault: false }
  for (const other of [{ affinity: 'number' }, { isNullable: true }, { hasDefault: true }])
    assert.is(differences({ 'a.b': text }, { 'a.b': { ...text, ...other } }).length, 1)
})
