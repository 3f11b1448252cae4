import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/**
 * Locks that the system itself takes back when their holder dies, however it dies: those of SQLite on an empty file of
 * its own. Nobody else may open and close that file, which would drop them (POSIX).
 * @param patience how long to wait for others, ms
 * @returns what gives it back; null where somebody else has it
 */
function acquireLock(file: string, begin: string, patience: number): (() => void) | null {
  const sqlite = new Database(file, { timeout: patience })
  try {
    sqlite.exec(begin)
    return () => void sqlite.close()
  } catch (error) {
    sqlite.close()
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return null
    throw error
  }
}

const SHARED_SQL = 'BEGIN; SELECT count(*) FROM sqlite_master'
const EXCLUSIVE_SQL = 'BEGIN EXCLUSIVE'

/** The file in DATA_DIR that is locked while a server works on it, or a restore. */
export const DATA_LOCK = '.in-use'
const dataLockFile = (dataDir: string) => join(dataDir, DATA_LOCK)

/** What a server holds until it ends. Kept here, or the handle would be collected and closed, and the lock be gone. */
const heldLocks: unknown[] = []

/** A server says that it works on this data. False while somebody restores it; where no lock can be had, it goes on without. */
export function lockDataShared(dataDir: string, patience = 5000): boolean {
  try {
    const release = acquireLock(dataLockFile(dataDir), SHARED_SQL, patience)
    if (release) heldLocks.push(release)
    return release !== null
  } catch {
    return true
  }
}

/** This data for oneself alone. Null while a server works on it. */
export const lockDataExclusive = (dataDir: string, patience = 0) =>
  acquireLock(dataLockFile(dataDir), EXCLUSIVE_SQL, patience)

/** True while a server works on this data. Where no lock can be had (a read-only disk), one may: true. */
export function isDataInUse(dataDir: string): boolean {
  try {
    const release = lockDataExclusive(dataDir)
    release?.()
    return release === null
  } catch {
    return true
  }
}

/** The file in BACKUP_DIR that is locked while a backup is made. */
export const LOCK = '.lock'

/** One backup at a time. Null while another is being made. */
export const lockBackups = (backupDir: string) => acquireLock(join(backupDir, LOCK), EXCLUSIVE_SQL, 0)

const restoreMarker = (dataDir: string) => join(dataDir, '.restoring')

/** From `beginSwap` to `endSwap` the data is half old, half new. */
export const beginSwap = (dataDir: string, backup: string): void => writeFileSync(restoreMarker(dataDir), `${backup}\n`)
export const endSwap = (dataDir: string): void => rmSync(restoreMarker(dataDir), { force: true })
/** True where a restore was killed while it swapped: nothing may be served from such data. */
export const isHalfRestored = (dataDir: string): boolean => existsSync(restoreMarker(dataDir))
