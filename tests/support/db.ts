import Database from 'better-sqlite3'
import { type Db, toKysely } from '#db/client.ts'
import { migratedSnapshot } from './migrated-snapshot.ts'

const snapshot = await migratedSnapshot()

/** A migrated, empty database in memory. */
export function freshDb(): Db {
  const sqlite = new Database(snapshot)
  sqlite.pragma('foreign_keys = ON')
  return toKysely(sqlite)
}
