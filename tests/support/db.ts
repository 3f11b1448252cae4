import Database from 'better-sqlite3'
import { type Db, migrate, openDatabase, sqliteOf, toKysely } from '#db/client.ts'

// Made once: a restored snapshot opens in well under a millisecond, a migration takes dozens.
const template = openDatabase(':memory:')
await migrate(template)
const snapshot = sqliteOf(template).serialize()
await template.destroy()

/** A migrated, empty database in memory. */
export function freshDb(): Db {
  const sqlite = new Database(snapshot)
  sqlite.pragma('foreign_keys = ON')
  return toKysely(sqlite)
}
