import { join } from 'node:path'
import { type Trx as Db, openDatabase } from '#db/client.ts'
import { openPostgres } from '#db/dialect/postgres/open.ts'
import { DATABASE_FILE } from '#server/db.ts'

/** Where a server's data is. */
export interface ServerData {
  dataDir: string
  databaseUrl?: string | undefined
}

/** The database of a running server, on connections of its own. Destroy it after use. */
export const openServerDatabase = ({ dataDir, databaseUrl }: ServerData): Db =>
  databaseUrl === undefined
    ? openDatabase(join(dataDir, DATABASE_FILE))
    : openPostgres(databaseUrl, { applicationName: 'perrario-tests', maxConnections: 2, allowExitOnIdle: true })
