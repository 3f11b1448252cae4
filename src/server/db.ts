import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, migrate, openDatabase } from '#db/client.ts'

/** The database's file in DATA_DIR. */
export const DATABASE_FILE = 'perrario.db'

/** Opens and migrates the database of `dataDir`. @returns it, and the names of the migrations that were due */
export async function startDatabase(dataDir: string): Promise<{ db: Db; migrated: string[] }> {
  mkdirSync(dataDir, { recursive: true })
  const db = openDatabase(join(dataDir, DATABASE_FILE))
  return { db, migrated: await migrate(db) }
}

/** Asks the database for one row; throws what is wrong with it. */
export async function pingDatabase(db: Db): Promise<void> {
  await db.selectFrom('totals').select('value').limit(1).execute()
}
