import Database from 'better-sqlite3'
import { type Trx as Db, sqliteOf, toKysely } from '#db/client.ts'
import { migratedSnapshot } from './migrated-snapshot.ts'
import { closeAsTemplate, freshPostgresDb } from './postgres/databases.ts'
import { isPostgresRun, onlyOnSqlite } from './suites.ts'

export { isPostgresRun, onlyOnSqlite }

const snapshot = await migratedSnapshot()

/** A migrated, empty database: SQLite in memory, or one of its own on the run's PostgreSQL. */
export const freshDb = (): Db => (isPostgresRun ? freshPostgresDb() : sqliteDb())

/** A copy in memory of the SQLite database in `bytes` (`serialize`), by default of a migrated, empty one. */
export function sqliteDb(bytes: Buffer = snapshot): Db {
  const sqlite = new Database(bytes)
  sqlite.pragma('foreign_keys = ON')
  return toKysely(sqlite)
}

/** Closes the database. @returns opens copies of it */
export async function toCopies(db: Db): Promise<() => Db> {
  if (isPostgresRun) {
    const template = await closeAsTemplate(db)
    return () => freshPostgresDb({ template })
  }
  const bytes = sqliteOf(db).serialize()
  await db.destroy()
  return () => sqliteDb(bytes)
}
