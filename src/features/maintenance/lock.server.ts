import { closeSync, existsSync, fchownSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { lchown, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { makeFolder } from '#features/storage/files.server.ts'
import { errorCode } from '#lib/error-code.ts'
import { explainError, permissionText } from './files.server.ts'
import { MaintenanceError } from './maintenance.ts'

type Release = () => void

/**
 * Acquires a lock that the operating system releases when its holder dies: SQLite's, on an empty file of its own. No other
 * code of this process may open and close the file, which would release the lock (POSIX).
 * Root, who may run the operator's commands, leaves the file to the folder's owner: the server must be able to take it.
 * @param timeoutMs how long to wait for another holder
 * @returns a function that releases it; null where another process has it
 */
function acquireLock(file: string, beginSql: string, timeoutMs: number): Release | null {
  if (process.getuid?.() === 0) createForFolderOwner(file)
  const sqlite = new Database(file, { timeout: timeoutMs })
  try {
    sqlite.exec(beginSql)
    return () => void sqlite.close()
  } catch (error) {
    sqlite.close()
    if (errorCode(error).startsWith('SQLITE_BUSY')) return null
    throw error
  }
}

/**
 * Creates the file with the folder's owner, where it is missing. Through its handle: by its name root could be led to give away
 * another file.
 */
function createForFolderOwner(file: string): void {
  const { uid, gid } = statSync(dirname(file))
  let handle: number
  try {
    handle = openSync(file, 'wx', 0o600)
  } catch {
    // It exists, or SQLite says why it cannot.
    return
  }
  try {
    fchownSync(handle, uid, gid)
  } finally {
    closeSync(handle)
  }
}

const SHARED_SQL = 'BEGIN; SELECT count(*) FROM sqlite_master'
const EXCLUSIVE_SQL = 'BEGIN EXCLUSIVE'

/** The file in DATA_DIR that is locked while a server or a restore uses the data. */
export const DATA_LOCK = '.in-use'
/** The file in BACKUP_DIR that is locked while a backup is made. */
const BACKUP_LOCK = '.lock'

/** The locks of a server until it ends. Without a reference, garbage collection would close the handle and release the lock. */
const heldLocks: unknown[] = []

/** Takes a server's shared lock. @returns false during a restore; true also where locks are not available (a read-only disk) */
export function lockDataShared(dataDir: string, timeoutMs = 5000): boolean {
  try {
    const release = acquireLock(join(dataDir, DATA_LOCK), SHARED_SQL, timeoutMs)
    if (release) heldLocks.push(release)
    return release !== null
  } catch {
    return true
  }
}

/** Takes the exclusive lock of a restore or repair. @returns a function that releases it; null while a server uses the data */
export const lockDataExclusive = (dataDir: string): Release | null =>
  acquireLock(join(dataDir, DATA_LOCK), EXCLUSIVE_SQL, 0)

/**
 * Whether a server or a restore uses the data.
 * @throws where the lock cannot be taken at all (a missing permission, a read-only disk): nobody knows then
 */
export function isDataInUse(dataDir: string): boolean {
  const release = lockDataExclusive(dataDir)
  release?.()
  return release === null
}

/**
 * Runs `action` on the data that no server uses. Creates the folder where it is missing.
 * @param purpose what the site is stopped for, in Spanish: «restaurar»
 * @throws MaintenanceError while a server uses the folder, or where it cannot be written
 */
export const withLockedData = <T>(dataDir: string, purpose: string, action: () => Promise<T>): Promise<T> =>
  withLock(join(dataDir, DATA_LOCK), `el sitio está en marcha sobre estos datos: páralo antes de ${purpose}.`, action)

/** Runs `action` while no other backup is made. @throws MaintenanceError the same */
export const withLockedBackups = <T>(backupDir: string, action: () => Promise<T>): Promise<T> =>
  withLock(join(backupDir, BACKUP_LOCK), 'ya hay otra copia en marcha.', action)

async function withLock<T>(file: string, refusal: string, action: () => Promise<T>): Promise<T> {
  const folder = dirname(file)
  let release: Release | null
  try {
    const created = await makeFolder(folder, 0o700)
    // Root creates it for who owns the folder above: the site must be able to write there.
    if (created !== undefined && process.getuid?.() === 0) {
      const { uid, gid } = await stat(dirname(created))
      await lchown(created, uid, gid)
    }
    release = acquireLock(file, EXCLUSIVE_SQL, 0)
  } catch (error) {
    const denied = permissionText(error, [folder, file])
    throw new MaintenanceError(denied ? `${denied}.` : `no se puede escribir en ${folder}: ${explainError(error)}.`)
  }
  if (!release) throw new MaintenanceError(refusal)
  try {
    return await action()
  } finally {
    release()
  }
}

const restoreMarker = (dataDir: string) => join(dataDir, '.restoring')

/** From `beginSwap` to `endSwap` the data is half old and half new; a marker file shows this after a crash. */
export const beginSwap = (dataDir: string, backup: string): void => writeFileSync(restoreMarker(dataDir), `${backup}\n`)
export const endSwap = (dataDir: string): void => rmSync(restoreMarker(dataDir), { force: true })
/** Whether a restore was killed during its swap. Such data must not be served. */
export const isHalfRestored = (dataDir: string): boolean => existsSync(restoreMarker(dataDir))
