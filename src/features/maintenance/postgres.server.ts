import type { Db } from '#db/client.ts'
import { connectPostgres, countServerConnections, toShownAddress } from '#db/dialect/postgres/connect.ts'
import { NewerDatabaseError, PostgresUnusableError } from '#db/errors.ts'
import { formatPlural, MaintenanceError } from './maintenance.ts'

/** The name of a command's connections: not a server's. */
const APPLICATION_NAME = 'perrario-command'

/** Opens a PostgreSQL for a command: few connections, and statements as long as they take. @throws MaintenanceError */
export async function connectForMaintenance(url: string): Promise<Db> {
  try {
    return await connectPostgres(url, { applicationName: APPLICATION_NAME, maxConnections: 4, isCommand: true })
  } catch (error) {
    if (error instanceof PostgresUnusableError || error instanceof NewerDatabaseError)
      throw new MaintenanceError(error.message)
    throw error
  }
}

/** Opens it for `action` and closes it. @throws MaintenanceError */
export async function withMaintenanceDb<T>(url: string, action: (db: Db) => Promise<T>): Promise<T> {
  const db = await connectForMaintenance(url)
  try {
    return await action(db)
  } finally {
    await db.destroy()
  }
}

/** @throws MaintenanceError while a server on any machine uses the PostgreSQL, or where it cannot be used */
export const assertNoServers = (url: string): Promise<void> =>
  withMaintenanceDb(url, async (db) => assertUnserved(await countServerConnections(db)))

/** @throws MaintenanceError where there are connections of servers */
export function assertUnserved(connections: number): void {
  if (connections > 0)
    throw new MaintenanceError(
      `el sitio está en marcha sobre ese PostgreSQL (${formatPlural(connections, 'conexión', 'conexiones')}): páralo en todas las máquinas.`,
    )
}

/** The file that the commands below write and read. */
const DUMP_FILE = 'perrario.dump'

/** As a word of a shell, without the password, for which the program asks. */
const shellAddress = (url: string): string => `'${toShownAddress(url).replaceAll("'", '%27')}'`

/** The command that backs up the database. The nodes' log and memory, in unlogged tables, are no data. */
export const dumpCommand = (url: string): string =>
  `pg_dump --format=custom --no-owner --no-unlogged-table-data --file=${DUMP_FILE} ${shellAddress(url)}`

/** The command that replaces the database with such a backup, all or nothing. */
export const restoreCommand = (url: string): string =>
  `pg_restore --clean --if-exists --no-owner --single-transaction --dbname=${shellAddress(url)} ${DUMP_FILE}`
