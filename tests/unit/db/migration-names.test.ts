import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { findUnknownMigration, migrate, sqliteOf, toKysely } from '#db/client.ts'
import { isKnownMigration } from '#db/migration-names.ts'
import { migrations } from '#db/migrations/index.ts'
import { sqliteDb } from '#tests/support/db.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

/** The names of all migrations up to 23 November 2026, as databases of that time remember them. */
const EARLIER_NAMES = [
  '2026-11-20-tables',
  '2026-11-20-z-counts',
  '2026-11-20-zz-breed-overrides',
  '2026-11-20-zz-figure-indexes',
  '2026-11-21-admin-lists',
  '2026-11-21-events',
  '2026-11-21-map-changes',
  '2026-11-21-ownership-requests',
  '2026-11-21-ranking-counts',
  '2026-11-21-session-devices',
  '2026-11-21-zz-geocodes',
  '2026-11-22-push',
  '2026-11-22-push-digests',
  '2026-11-23-photo-blurs',
  '2026-11-23-trust',
  '2026-11-24-sitemap',
  '2026-11-24-z-dog-provinces',
  '2026-11-25-words',
  '2026-11-25-z-alts',
  '2026-11-26-sign-ins',
  '2026-11-27-event-subjects',
  '2026-11-28-door-numbers',
  '2026-11-28-like-bundles',
  '2026-11-29-whole-kilograms',
  '2026-11-30-photo-moves',
  '2026-11-30-z-ban-digests',
  '2026-11-30-zz-daily-budgets',
  '2026-12-01-like-hours',
  '2026-12-02-account-erasures',
]

/** When the migrations of the test ran. */
const RAN_AT = '2026-11-20T17:00:00.000Z'

const names = suite('unit/db/migration-names')

const readNames = (sqlite: Database.Database) =>
  sqlite.prepare('SELECT name FROM kysely_migration ORDER BY name').pluck().all() as string[]
const readSchema = (sqlite: Database.Database) =>
  sqlite.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').raw().all()

/** A database that a program of before made with its first `count` migrations. */
async function openEarlierDatabase(count: number) {
  const sqlite = new Database(':memory:')
  const earlier = Object.fromEntries(
    Object.values(migrations)
      .slice(0, count)
      .map((migration, index) => [EARLIER_NAMES[index]!, migration]),
  )
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) })
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => earlier } }).migrateToLatest()
  if (error) throw error
  return { sqlite, db: toKysely(sqlite) }
}

names('names are a minute and a title, listed in sorted order', () => {
  const listed = Object.keys(migrations)
  assert.equal(listed, listed.toSorted())
  assertNone(listed, (name) => !/^\d{4}-\d\d-\d\d-([01]\d|2[0-3])[0-5]\d-[a-z]+(-[a-z]+)*$/.test(name))
})

names('a database with earlier names is renamed and not migrated again', async () => {
  const { sqlite, db } = await openEarlierDatabase(EARLIER_NAMES.length)
  sqlite.prepare(`UPDATE kysely_migration SET timestamp = '${RAN_AT}'`).run()
  assert.equal(readNames(sqlite), EARLIER_NAMES)
  assert.is(findUnknownMigration(sqlite), undefined)
  const ran = await migrate(db)
  assert.equal(ran, Object.keys(migrations).slice(EARLIER_NAMES.length))
  assert.equal(readNames(sqlite), Object.keys(migrations))
  const withTime = sqlite.prepare(`SELECT count(*) FROM kysely_migration WHERE timestamp = '${RAN_AT}'`).pluck().get()
  assert.is(withTime, EARLIER_NAMES.length)
  assert.equal(await migrate(db), [])
  await db.destroy()
})

names('a database at any earlier state runs the missing migrations', async () => {
  const expected = readSchema(sqliteOf(sqliteDb()))
  for (const count of [1, 13, EARLIER_NAMES.length - 1]) {
    const { sqlite, db } = await openEarlierDatabase(count)
    assert.equal(await migrate(db), Object.keys(migrations).slice(count), `after ${count}`)
    assert.equal(readNames(sqlite), Object.keys(migrations))
    assert.equal(readSchema(sqlite), expected)
    await db.destroy()
  }
})

names('a read-only database with all names known is left unchanged', async () => {
  const bytes = sqliteOf(sqliteDb()).serialize()
  await using db = toKysely(new Database(bytes, { readonly: true }))
  assert.equal(await migrate(db), [])
})

names('a name of a newer version is unknown under both schemes', async () => {
  const { sqlite, db } = await openEarlierDatabase(EARLIER_NAMES.length)
  assert.ok(EARLIER_NAMES.every(isKnownMigration))
  assert.not(isKnownMigration('2099-01-01-futuro'))
  assert.not(isKnownMigration('constructor'))
  sqlite.prepare(`INSERT INTO kysely_migration VALUES ('2099-01-01-futuro', 'later')`).run()
  assert.is(findUnknownMigration(sqlite), '2099-01-01-futuro')
  await db.destroy()
})
