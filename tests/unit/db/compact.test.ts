import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { checkpointWal } from '#db/checkpoint-wal.ts'
import { openDatabase, openReadOnlyDatabase, sqliteOf } from '#db/client.ts'
import { compactDatabase } from '#db/compact.ts'
import { deleteAllExpired } from '#features/maintenance/retention.server.ts'
import { openMigratedDatabase } from '#tests/support/migrated-snapshot.ts'
import { dog, member, seed } from '#tests/support/seed.ts'
import { assert, type Db, folderSuite, type FolderWorld, onlyOnSqlite } from '#tests/support/suites.ts'

type World = FolderWorld & { file: string; db: Db }
const compaction = folderSuite<World>('unit/db/compact')
const sqliteTest = onlyOnSqlite(compaction)
compaction.before.each(async (t) => {
  t.file = join(t.dir, 'perrario.db')
  t.db = await openMigratedDatabase(t.file)
})
compaction.after.each(({ db }) => db.destroy())

/** The same numbers in every run, from 0 to 1 (mulberry32). */
function createNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const wordOf = (n: number) => `palabra${String(n).padStart(6, '0')}x`

/** Adds, changes and deletes rows of many lengths, as people do. @returns numbers of the words that stood in rows that are deleted */
function writeWords(db: Db): number[] {
  const sqlite = sqliteOf(db)
  sqlite.exec('CREATE TABLE IF NOT EXISTS words (id TEXT PRIMARY KEY NOT NULL, content TEXT)')
  const insert = sqlite.prepare('INSERT INTO words VALUES (?, ?)')
  const update = sqlite.prepare('UPDATE words SET content = ? WHERE id = ?')
  const remove = sqlite.prepare('DELETE FROM words WHERE id = ?')
  const random = createNumbers(1)
  const present: number[] = []
  const erased: number[] = []
  sqlite.transaction(() => {
    for (let next = 0, step = 0; step < 8000; step++) {
      const choice = random()
      if (choice < 0.5 || present.length < 50) {
        insert.run(`${next}`, wordOf(next) + 'y'.repeat(random() * 200))
        present.push(next++)
        continue
      }
      const at = Math.floor(random() * present.length)
      const n = present[at]!
      if (choice < 0.75) update.run(wordOf(n) + 'z'.repeat(random() * 400), `${n}`)
      else {
        remove.run(`${n}`)
        present.splice(at, 1)
        erased.push(n)
      }
    }
  })()
  return erased
}

/** Words of deleted rows in the bytes of the file. */
async function findErased({ db, file }: World, erased: readonly number[]): Promise<string[]> {
  await checkpointWal(db)
  const bytes = readFileSync(file).toString('latin1')
  return erased.map(wordOf).filter((word) => bytes.includes(word))
}

sqliteTest('what SQLite left of deleted rows in other pages is gone after the daily deletion', async (t) => {
  const erased = writeWords(t.db)
  assert.is(sqliteOf(t.db).pragma('secure_delete', { simple: true }), 1)
  assert.ok((await findErased(t, erased)).length > 0, 'secure_delete alone leaves copies')
  const rows = sqliteOf(t.db).prepare('SELECT * FROM words ORDER BY id').all()
  await deleteAllExpired(t.db, t.dir)
  assert.equal(await findErased(t, erased), [])
  assert.is(statSync(`${t.file}-wal`).size, 0)
  assert.equal(sqliteOf(t.db).prepare('SELECT * FROM words ORDER BY id').all(), rows)
})

sqliteTest('temporary triggers fire on after it', async ({ db }) => {
  const sqlite = sqliteOf(db)
  sqlite.exec('CREATE TEMP TABLE seen (id TEXT)')
  sqlite.exec('CREATE TEMP TRIGGER seen_users AFTER INSERT ON main.users BEGIN INSERT INTO seen VALUES (NEW.id); END')
  assert.is(await compactDatabase(db), true)
  const [ana] = await seed(db, member(), dog())
  assert.equal(sqlite.prepare('SELECT id FROM seen').pluck().all(), [ana.id])
})

sqliteTest('a larger file is left as it is', async (t) => {
  const erased = writeWords(t.db)
  const left = await findErased(t, erased)
  assert.is(await compactDatabase(t.db, 64 * 1024), false)
  assert.equal(await findErased(t, erased), left)
})

sqliteTest('while another process writes it fails at once', async (t) => {
  await using other = openDatabase(t.file)
  sqliteOf(other).exec('BEGIN IMMEDIATE')

  const error = await compactDatabase(t.db).catch((caught: unknown) => caught)
  assert.match(String(error), /locked/)
  assert.is(sqliteOf(t.db).pragma('busy_timeout', { simple: true }), 5000)
})

sqliteTest('readers go on meanwhile', async ({ db, file }) => {
  await seed(db, member())
  const reader = openReadOnlyDatabase(file)
  reader.exec('BEGIN')
  const count = () => reader.prepare('SELECT count(*) FROM users').pluck().get()
  assert.is(count(), 1)
  assert.is(await compactDatabase(db), true)
  assert.is(count(), 1)
  reader.close()
})
