import { closeSync, existsSync, fchownSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { errorCode } from '#lib/error-code.ts'

/**
 * Acquires a lock that the operating system releases when its holder dies: SQLite's, on an empty file of its own. No other
 * code of this process may open and close the file, which would release the lock (POSIX).
 * Root, who may run the operator's commands, leaves the file to the folder's owner: the server must be able to take it.
 * @param timeoutMs how long to wait for another holder
 * @returns a function that releases it; null where another process has it
 */
function acquireLock(file: string, beginSql: string, timeoutMs: number): (() => void) | null {
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
const dataLockFile = (dataDir: string) => join(dataDir, DATA_LOCK)

/** The locks of a server until it ends. Without a reference, garbage collection would close the handle and release the lock. */
const heldLocks: unknown[] = []

/** Takes a server's shared lock. @returns false during a restore; true also where locks are not available (a read-only disk) */
export function lockDataShared(dataDir: string, timeoutMs = 5000): boolean {
  try {
    const release = acquireLock(dataLockFile(dataDir), SHARED_SQL, timeoutMs)
    if (release) heldLocks.push(release)
    return release !== null
  } catch {
    return true
  }
}

/** Takes the exclusive lock of a restore or repair. @returns a function that releases it; null while a server uses the data */
export const lockDataExclusive = (dataDir: string, timeoutMs = 0) =>
  acquireLock(dataLockFile(dataDir), EXCLUSIVE_SQL, timeoutMs)

/**
 * Whether a server or a restore uses the data.
 * @throws where the lock cannot be taken at all (a missing permission, a read-only disk): nobody knows then
 */
export function isDataInUse(dataDir: string): boolean {
  const release = lockDataExclusive(dataDir)
  release?.()
  return release === null
}

/** The file in BACKUP_DIR that is locked while a backup is made. */
export const BACKUP_LOCK = '.lock'

/** Takes the lock of a backup, of which only one runs at a time; null while another is made. */
export const lockBackups = (backupDir: string) => acquireLock(join(backupDir, BACKUP_LOCK), EXCLUSIVE_SQL, 0)

const restoreMarker = (dataDir: string) => join(dataDir, '.restoring')

/** From `beginSwap` to `endSwap` the data is half old and half new; a marker file shows this after a crash. */
export const beginSwap = (dataDir: string, backup: string): void => writeFileSync(restoreMarker(dataDir), `${backup}\n`)
export const endSwap = (dataDir: string): void => rmSync(restoreMarker(dataDir), { force: true })
/** Whether a restore was killed during its swap. Such data must not be served. */
export const isHalfRestored = (dataDir: string): boolean => existsSync(restoreMarker(dataDir))
