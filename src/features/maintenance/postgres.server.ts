import type { Db } from '#db/client.ts'
import { connectPostgres, countServerConnections, toShownAddress } from '#db/dialect/postgres/connect.ts'
import { NewerDatabaseError, PostgresUnusableError } from '#db/errors.ts'
import { formatPlural, MaintenanceError } from './maintenance.ts'

/** The name of a command's connections: not a server's. */
const APPLICATION_NAME = 'perrario-command'

/** Opens a PostgreSQL for a command: few connections, and statements as long as they take. @throws MaintenanceError */
export const connectForMaintenance = (url: string): Promise<Db> =>
  connectPostgres(url, { applicationName: APPLICATION_NAME, maxConnections: 4, isCommand: true }).catch(
    (error: unknown) => {
      if (error instanceof PostgresUnusableError || error instanceof NewerDatabaseError)
        throw new MaintenanceError(error.message, { cause: error })
      throw error
    },
  )

/** Opens it for `action`, which no server may disturb, and closes it. @throws MaintenanceError while a server on any machine uses it */
export async function withUnservedPostgres<T>(url: string, action: (db: Db) => Promise<T>): Promise<T> {
  const db = await connectForMaintenance(url)
  try {
    const connections = await countServerConnections(db)
    if (connections > 0)
      throw new MaintenanceError(
        `el sitio está en marcha sobre ese PostgreSQL (${formatPlural(connections, 'conexión', 'conexiones')}): páralo en todas las máquinas.`,
      )
    return await action(db)
  } finally {
    await db.destroy()
  }
}

/** As a word of a shell, without the password, for which the program asks. */
const shellAddress = (url: string): string => `'${toShownAddress(url).replaceAll("'", '%27')}'`

/** The command that backs up the database. The nodes' log and memory, in unlogged tables, are no data. */
export const dumpCommand = (url: string): string =>
  `pg_dump --format=custom --no-owner --no-unlogged-table-data --file=perrario.dump ${shellAddress(url)}`

/** The command that replaces the database with such a backup, all or nothing. */
export const restoreCommand = (url: string): string =>
  `pg_restore --clean --if-exists --no-owner --single-transaction --dbname=${shellAddress(url)} perrario.dump`
