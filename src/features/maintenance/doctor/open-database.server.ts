import { join } from 'node:path'
import { type Db, toKysely } from '#db/client.ts'
import {
  DATABASE_FILE,
  databasePaths,
  explainError,
  isDatabase,
  isThere,
  permissionText,
} from '#features/maintenance/files.server.ts'
import { openForMaintenance } from '#features/maintenance/database-contents.server.ts'
import { MaintenanceError } from '#features/maintenance/maintenance.ts'
import { connectForMaintenance } from '#features/maintenance/postgres.server.ts'
import { errorCode } from '#lib/error-code.ts'
import { describePostgresFault } from '#db/dialect/postgres/connect.ts'

/**
 * Opens the SQLite file for `action` and closes it.
 * @param onUnreadable returns the result for a database that cannot be read
 * @throws MaintenanceError where there is no database
 */
export async function withSqlite<T>(
  dataDir: string,
  action: (db: Db) => Promise<T[]>,
  onUnreadable: (reason: string) => T[],
): Promise<T[]> {
  const file = join(dataDir, DATABASE_FILE)
  if (!(await isThere(file)))
    throw new MaintenanceError(`no hay base de datos en ${dataDir}: arranca antes el sitio, o di DATA_DIR.`)
  if (!(await isDatabase(file))) return onUnreadable(explainError({ code: 'SQLITE_NOTADB' }))
  let close: (() => void) | undefined
  try {
    const sqlite = openForMaintenance(file)
    close = () => void sqlite.close()
    return await action(toKysely(sqlite))
  } catch (error) {
    if (!errorCode(error).startsWith('SQLITE_')) throw error
    const text = permissionText(error, databasePaths(file))
    if (text !== null) throw new MaintenanceError(`${text}.`)
    return onUnreadable(explainError(error))
  } finally {
    close?.()
  }
}

/** The same of a PostgreSQL. @param onUnusable returns the result where it cannot be used */
export async function withPostgres<T>(
  url: string,
  action: (db: Db) => Promise<T[]>,
  onUnusable: (reason: string) => T[],
): Promise<T[]> {
  let db: Db
  try {
    db = await connectForMaintenance(url)
  } catch (error) {
    if (error instanceof MaintenanceError) return onUnusable(error.message)
    throw error
  }
  try {
    return await action(db)
  } catch (error) {
    const fault = describePostgresFault(error)
    if (fault === null) throw error
    return onUnusable(`PostgreSQL: ${fault}`)
  } finally {
    await db.destroy()
  }
}
