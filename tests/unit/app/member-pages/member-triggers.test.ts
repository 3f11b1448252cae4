import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DERIVED_TABLES, memberTables, TABLES_ON_NO_OWN_PAGE } from '#app/member-pages/member-triggers.ts'
import { trackedTables } from '#app/page-cache/invalidation.ts'
import { sqliteOf } from '#db/client.ts'
import { sqliteDb } from '#tests/support/db.ts'

const triggers = suite('unit/app/member-pages/member-triggers')

triggers('every table is watched for members’ pages, or listed with those that none of them shows', async () => {
  const db = sqliteDb()
  const tables = sqliteOf(db)
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'kysely%'`,
    )
    .pluck()
    .all() as string[]
  await db.destroy()
  const watched = new Set([...trackedTables(), ...memberTables()])
  assert.equal([...watched, ...DERIVED_TABLES, ...TABLES_ON_NO_OWN_PAGE].sort(), tables.sort())
})

triggers.run()
