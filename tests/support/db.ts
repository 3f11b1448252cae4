import Database from 'better-sqlite3'
import { type Db, toKysely } from '#db/client.ts'
import { migratedSnapshot } from './migrated-snapshot.ts'

const snapshot = await migratedSnapshot()

/** A migrated database in memory: an empty one, or a copy of `bytes` (`serialize`). */
export function freshDb(bytes: Buffer = snapshot): Db {
  const sqlite = new Database(bytes)
  sqlite.pragma('foreign_keys = ON')
  return toKysely(sqlite)
}
