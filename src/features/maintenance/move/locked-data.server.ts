import { mkdir } from 'node:fs/promises'
import { isBusyError } from '#db/dialect/command-locks.ts'
import { describePostgresFault } from '#db/dialect/postgres/connect.ts'
import { errorCode } from '#lib/error-code.ts'
import { cannotWriteError, explainError, permissionText } from '../files.server.ts'
import { DATA_LOCK, lockDataExclusive } from '../lock.server.ts'
import { MaintenanceError } from '../maintenance.ts'

/**
 * Locks the data for a move, and explains what cuts it.
 * @param what what is moved, in Spanish
 * @param paths what SQLite uses of the folder: its errors name no path
 * @throws MaintenanceError while a server uses the folder, where it cannot be used, or where the move was cut
 */
export async function withLockedData<T>(
  dataDir: string,
  what: 'la base de datos' | 'las fotos',
  paths: readonly string[],
  action: () => Promise<T>,
): Promise<T> {
  let release: (() => void) | null
  try {
    await mkdir(dataDir, { recursive: true })
    release = lockDataExclusive(dataDir)
  } catch (error) {
    throw cannotWriteError(error, dataDir, DATA_LOCK)
  }
  if (!release) throw new MaintenanceError(`el sitio está en marcha sobre estos datos: páralo antes de mover ${what}.`)
  try {
    return await action()
  } catch (error) {
    throw toOperatorError(error, what, paths)
  } finally {
    release()
  }
}

/** What cut a move as an error for the operator; errors of the program stay as they are. */
function toOperatorError(error: unknown, what: string, paths: readonly string[]): unknown {
  if (isBusyError(error))
    return new MaintenanceError(`alguien está escribiendo en el origen: para el sitio antes de mover ${what}.`)
  const denied = permissionText(error, paths)
  const isFileFault = /^(?:SQLITE_|ENOSPC|EDQUOT|EFBIG|EIO|EROFS)/.test(errorCode(error))
  const reason = denied ?? describePostgresFault(error) ?? (isFileFault ? explainError(error) : null)
  if (reason === null) return error
  const sentence = /[.?!]$/.test(reason) ? reason : `${reason}.`
  return new MaintenanceError(`la mudanza se ha cortado: ${sentence} La misma orden sigue donde estaba.`)
}
