import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sqliteOf } from '#db/client.ts'
import { columnsOf, TABLES } from '#features/account/personal-data/personal-data.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { COLUMNS, WORDS } from '#tests/support/erasure/columns.ts'
import { listTextColumns } from '#tests/support/erasure/column-text.ts'

const guard = suite('erasure')

guard('the erasure contract reads every column of text, and writes wherever a person can write', async () => {
  const db = freshDb()
  await db.selectFrom('totals').selectAll().execute()
  const there = listTextColumns(sqliteOf(db))
  assert.ok(there.length > 100)
  assert.equal(
    there.filter((column) => !(column in COLUMNS)),
    [],
    'of another kind in features/account/personal-data',
  )
  assert.equal(
    TABLES.flatMap((table) => columnsOf(table, 'words').map((column) => `${table}.${column}`)).filter(
      (column) => !(column in WORDS),
    ),
    [],
    'say in tests/support/erasure/columns.ts what a person writes there',
  )
  assert.equal(
    Object.keys(WORDS).filter((column) => !there.includes(column)),
    [],
    'columns that are gone',
  )
  await db.destroy()
})

guard.run()
