import { join } from 'node:path'
import Database from 'better-sqlite3'
import { incrementTotal, startSecondWriter, readTotal } from '#tests/support/faults/concurrent-writes.ts'
import { openMigratedDatabase } from '#tests/support/migrated-snapshot.ts'
import { assert, type Db, folderSuite } from '#tests/support/suites.ts'

const serialization = folderSuite<{ file: string; db: Db }>('unit/db/write-serialization')
serialization.before.each(async (t) => {
  t.file = join(t.dir, 'perrario.db')
  t.db = await openMigratedDatabase(t.file)
})
serialization.after.each(({ db }) => db.destroy())

const count = (db: Db) => db.selectFrom('totals').selectAll().execute()

serialization('a transaction that has read may write while others wait to write', async ({ db, file }) => {
  const other = new Database(file, { timeout: 0 })
  const write = () => other.prepare("INSERT OR REPLACE INTO totals (name, value) VALUES ('other', 1)").run()
  await db.transaction().execute(async (trx) => {
    await count(trx)
    assert.throws(write, (error: { code?: string }) => error.code === 'SQLITE_BUSY')
    await trx.insertInto('totals').values({ name: 'mine', value: 1 }).execute()
  })
  write()
  const names = (await count(db)).map(({ name }) => name)
  assert.ok(names.includes('mine') && names.includes('other'), names.join())
  other.close()
})

serialization('a reader waits for nobody, and a failing transaction releases its turn', async ({ db, file }) => {
  const other = new Database(file, { timeout: 0 })
  other.exec('BEGIN IMMEDIATE')
  assert.is(await readTotal(db), 0)
  other.exec('COMMIT')
  const failing = db.transaction().execute(async () => {
    throw new Error('no')
  })
  assert.match(await failing.catch(String), 'no')
  other.exec('BEGIN IMMEDIATE; COMMIT')
  other.close()
})

serialization('two processes that read and then write lose nothing and refuse nothing', async ({ db, file }) => {
  const second = await startSecondWriter(file, 200)
  for (let i = 0; i < 200; i++) await incrementTotal(db)
  assert.is(await second.end(), 0)
  assert.is(await readTotal(db), 400)
})
