import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sqliteOf } from '#db/client.ts'
import { freshDb } from '#tests/support/db.ts'
import { COLUMNS } from '#tests/support/erasure/columns.ts'
import { listTextColumns } from '#tests/support/erasure/column-text.ts'

const guard = suite('erasure')

guard('every column of text is known to the erasure contract, or it is said why nobody writes into it', async () => {
  const db = freshDb()
  await db.selectFrom('totals').selectAll().execute()
  const there = listTextColumns(sqliteOf(db))
  assert.ok(there.length > 100)
  assert.equal(
    there.filter((column) => !(column in COLUMNS)),
    [],
    'say in tests/support/erasure/columns.ts what a person writes there',
  )
  assert.equal(
    Object.keys(COLUMNS).filter((column) => !there.includes(column)),
    [],
    'columns that are gone',
  )
  await db.destroy()
})

guard.run()
