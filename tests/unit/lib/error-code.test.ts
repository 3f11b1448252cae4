import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { errorCode } from '#lib/error-code.ts'
import { assert, suite } from '#tests/support/suites.ts'

const codes = suite('unit/lib/error-code')

const thrownBy = (action: () => unknown): unknown => {
  try {
    action()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

codes('the codes of Node and SQLite are read', () => {
  assert.is(errorCode(thrownBy(() => readFileSync('/no-existe'))), 'ENOENT')
  const sqlite = new Database(':memory:')
  sqlite.exec('CREATE TABLE one (id INTEGER PRIMARY KEY); INSERT INTO one VALUES (1)')
  assert.is(errorCode(thrownBy(() => sqlite.exec('INSERT INTO one VALUES (1)'))), 'SQLITE_CONSTRAINT_PRIMARYKEY')
  sqlite.close()
})

codes('other values have no code', () => {
  for (const value of [null, undefined, 'ENOENT', 7, {}, { code: 5 }, new Error('x')]) assert.is(errorCode(value), '')
})
