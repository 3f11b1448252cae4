import { type Sqlite, sqliteOf } from '#db/client.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { fillCommunity } from '#tests/support/community/fill-community.ts'
import { writeDogWords } from '#features/dogs/dog-words.server.ts'
import { writeMemberWords } from '#features/profiles/member-words.server.ts'
import { assert, suite } from '#tests/support/suites.ts'

const test = suite('unit/support/fill-community')

/** What the bench writes, then what follows from it. */
const FILLED_TABLES = [
  'users',
  'profiles_all',
  'dogs_all',
  'dog_paths',
  'dog_images_all',
  'dog_likes_all',
  'comments_all',
]
const DERIVED_TABLES = [
  'dog_tallies',
  'dog_day_tallies',
  'like_hour_tallies',
  'province_breeds',
  'member_dogs',
  'member_breeds',
  'totals',
  'ranking_dogs',
  'ranking_likes',
  'dog_words',
  'member_words',
]
/** Columns that triggers count up from nought. */
const COUNT_COLUMNS = ['dogs_count', 'breeds_count', 'likes_count', 'votes', 'comments_count']

const rowsOf = (sqlite: Sqlite, table: string) =>
  (sqlite.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[]).toSorted((a, b) =>
    JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
  )

test('a bulk-written community equals what triggers and the writers of names would write', async () => {
  const bulk = sqliteDb()
  fillCommunity(bulk, 400)
  const written = sqliteDb()
  const plain = sqliteOf(written)
  for (const table of FILLED_TABLES)
    for (const row of rowsOf(sqliteOf(bulk), table)) {
      const names = Object.keys(row).filter((name) => !COUNT_COLUMNS.includes(name))
      const list = names.map((name) => `"${name}"`).join()
      plain
        .prepare(`INSERT INTO ${table} (${list}) VALUES (${names.map(() => '?').join()})`)
        .run(...names.map((name) => row[name]))
    }
  for (const { id, name } of await written.selectFrom('dogs').select(['id', 'name']).execute())
    await writeDogWords(written, id, name)
  for (const { id, alias } of await written.selectFrom('profiles').select(['id', 'alias']).execute())
    await writeMemberWords(written, id, alias)
  for (const table of [...FILLED_TABLES, ...DERIVED_TABLES])
    assert.equal(rowsOf(sqliteOf(bulk), table), rowsOf(plain, table), table)
  assert.is(rowsOf(plain, 'dogs').length, 400)
})

test('triggers, indexes and foreign keys are unchanged afterwards', () => {
  const made = (sqlite: Sqlite) =>
    sqlite.prepare("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name").all()
  const db = sqliteDb()
  const before = made(sqliteOf(db))
  fillCommunity(db, 50)
  assert.equal(made(sqliteOf(db)), before)
  assert.equal(sqliteOf(db).pragma('foreign_key_check'), [])
  assert.is(sqliteOf(db).pragma('foreign_keys', { simple: true }), 1)
})
