import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, type Sqlite, migrate, openDatabase, sqliteOf, findUnknownMigration } from '#db/client.ts'

/** The database's file in DATA_DIR. */
export const DATABASE_FILE = 'perrario.db'

/** The database was made by a newer version of the program: nothing of it may be written. */
export class NewerDatabaseError extends Error {
  /** @param migration the first that this program does not know */
  constructor(migration: string) {
    super(`la base de datos es de una versión más nueva del programa (${migration}): actualízalo.`)
  }
}

/** Throws NewerDatabaseError for a database that this program is too old for. */
export function assertKnownMigrations(sqlite: Sqlite): void {
  const migration = findUnknownMigration(sqlite)
  if (migration) throw new NewerDatabaseError(migration)
}

/**
 * Opens and migrates the database of `dataDir`.
 * @returns it, and the names of the migrations that were due
 * @throws NewerDatabaseError
 */
export async function startDatabase(dataDir: string): Promise<{ db: Db; migrated: string[] }> {
  mkdirSync(dataDir, { recursive: true })
  const db = openDatabase(join(dataDir, DATABASE_FILE))
  assertKnownMigrations(sqliteOf(db))
  return { db, migrated: await migrate(db) }
}

/** Asks the database for one row; throws what is wrong with it. */
export async function pingDatabase(db: Db): Promise<void> {
  await db.selectFrom('totals').select('value').limit(1).execute()
}
