import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, type Sqlite, findUnknownMigration, migrate, openDatabase, sqliteOf } from '#db/client.ts'
import { isSharedByNodes } from '#db/dialect/dialect.ts'
import { pingPostgres } from '#db/dialect/postgres/ping.ts'
import { NewerDatabaseError, PostgresUnusableError } from '#db/errors.ts'
import { DATABASE_FILE, type DatabaseLocation } from '#db/location.ts'

export { NewerDatabaseError, PostgresUnusableError } from '#db/errors.ts'
export { DATABASE_FILE } from '#db/location.ts'

/** @throws NewerDatabaseError for a database that a newer version has migrated */
export function assertKnownMigrations(sqlite: Sqlite): void {
  const migration = findUnknownMigration(sqlite)
  if (migration) throw new NewerDatabaseError(migration)
}

/**
 * Opens and migrates the database.
 * @returns the database, and the names of the migrations that ran
 * @throws NewerDatabaseError
 * @throws PostgresUnusableError
 */
export async function startDatabase({
  dataDir,
  databaseUrl,
}: DatabaseLocation): Promise<{ db: Db; migrated: string[] }> {
  if (databaseUrl !== undefined) {
    // Loaded on use: most sites run without it.
    const { connectPostgres, describePostgresFault } = await import('#db/dialect/postgres/connect.ts')
    const db = await connectPostgres(databaseUrl)
    const migrated = await migrate(db).catch((error: unknown) => {
      const reason = describePostgresFault(error)
      throw reason === null ? error : new PostgresUnusableError(`no se puede preparar PostgreSQL: ${reason}`)
    })
    return { db, migrated }
  }
  mkdirSync(dataDir, { recursive: true })
  const db = openDatabase(join(dataDir, DATABASE_FILE))
  assertKnownMigrations(sqliteOf(db))
  return { db, migrated: await migrate(db) }
}

/** Reads one row, which waits for no request's connection. @throws where the database does not answer */
export async function pingDatabase(db: Db): Promise<void> {
  if (isSharedByNodes(db)) return pingPostgres(db)
  await db.selectFrom('totals').select('value').limit(1).execute()
}
