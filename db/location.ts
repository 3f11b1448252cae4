import { join } from 'node:path'
import { type Db, openReadOnlyDatabase, toKysely } from './client.ts'

/** The database's file in DATA_DIR. */
export const DATABASE_FILE = 'perrario.db'

/** Where the database is: in PostgreSQL, or without an address in DATA_DIR. */
export interface DatabaseLocation {
  dataDir: string
  /** With its password. */
  databaseUrl: string | undefined
}

/** Connections of a thread that only reads: one polls, the others answer. */
const READER_CONNECTIONS = 3

/**
 * Opens a second handle on the database, for a thread that only reads.
 * @throws where there is no such file
 */
export async function openDatabaseToRead({ dataDir, databaseUrl }: DatabaseLocation): Promise<Db> {
  if (databaseUrl === undefined) return toKysely(openReadOnlyDatabase(join(dataDir, DATABASE_FILE)))
  // Loaded on use: most sites run without it.
  const { openPostgres } = await import('./dialect/postgres/open.ts')
  return openPostgres(databaseUrl, { maxConnections: READER_CONNECTIONS })
}
