import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, type Sqlite, migrate, openDatabase, sqliteOf, findUnknownMigration } from '#db/client.ts'

/** The database's file in DATA_DIR. */
export const DATABASE_FILE = 'perrario.db'

/** A newer version of the program has migrated the database: this one must not write to it. */
export class NewerDatabaseError extends Error {
  /** @param migration the first one that this program does not know */
  constructor(migration: string) {
    super(`la base de datos es de una versión más nueva del programa (${migration}): actualízalo.`)
  }
}

/** @throws NewerDatabaseError for a database that a newer version has migrated */
export function assertKnownMigrations(sqlite: Sqlite): void {
  const migration = findUnknownMigration(sqlite)
  if (migration) throw new NewerDatabaseError(migration)
}

/**
 * Opens and migrates the database of `dataDir`.
 * @returns the database, and the names of the migrations that ran
 * @throws NewerDatabaseError
 */
export async function startDatabase(dataDir: string): Promise<{ db: Db; migrated: string[] }> {
  mkdirSync(dataDir, { recursive: true })
  const db = openDatabase(join(dataDir, DATABASE_FILE))
  assertKnownMigrations(sqliteOf(db))
  return { db, migrated: await migrate(db) }
}

/** Reads one row. @throws where the database does not answer */
export async function pingDatabase(db: Db): Promise<void> {
  await db.selectFrom('totals').select('value').limit(1).execute()
}
