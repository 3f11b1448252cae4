import { sqliteOf } from '#db/client.ts'
import { columnsOf, TABLES } from '#features/account/personal-data/personal-data.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { COLUMNS, WORDS } from '#tests/support/erasure/columns.ts'
import { listTextColumns } from '#tests/support/erasure/column-text.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

const guard = suite('erasure')

guard('the erasure contract reads every column of text, and writes wherever a person can write', async () => {
  const db = freshDb()
  await db.selectFrom('totals').selectAll().execute()
  const there = listTextColumns(sqliteOf(db))
  assert.ok(there.length > 100)
  assertNone(there, (column) => !(column in COLUMNS), 'of another kind in features/account/personal-data')
  assertNone(
    TABLES.flatMap((table) => columnsOf(table, 'words').map((column) => `${table}.${column}`)),
    (column) => !(column in WORDS),
    'say in tests/support/erasure/columns.ts what a person writes there',
  )
  assertNone(Object.keys(WORDS), (column) => !there.includes(column), 'columns that are gone')
  await db.destroy()
})
