import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { migrations } from '#db/migrations/index.ts'
import type { BackupRetention } from '#lib/backup-retention.ts'
import { formatPlural, MaintenanceError } from '#features/maintenance/maintenance.ts'
import { repairOrphanedCases } from '#features/moderation/orphaned-cases.server.ts'
import { repairCounts } from '#features/maintenance/count-drift.server.ts'
import {
  DATABASE_FILE,
  databasePaths,
  isDatabase,
  isThere,
  permissionText,
  explainError,
} from '#features/maintenance/files.server.ts'
import { DATA_LOCK, isHalfRestored, isDataInUse, lockDataExclusive } from '#features/maintenance/lock.server.ts'
import { STAGE_PREFIX } from '#features/maintenance/restore.server.ts'
import {
  findIntegrityFaults,
  readContents,
  openForMaintenance,
} from '#features/maintenance/database-contents.server.ts'
import { StoreAwayError } from '#features/storage/store-away.ts'
import type { StorageLimits } from '#features/photos/storage-budget.server.ts'
import { checkBackups } from './check-backups.server.ts'
import { checkDatabase } from './check-database.server.ts'
import { failure, type Finding, ok, warning } from './finding.ts'
import { checkPhotos, toPhotoFindings } from './check-photos.server.ts'
import { repairPhotos } from './repair-photos.server.ts'
import { checkDataDir, checkStorageBudget, repairPermissions } from './check-data-dir.server.ts'
import { errorCode } from '#lib/error-code.ts'

export interface DoctorOptions {
  dataDir: string
  backupDir: string
  /** The setting BACKUPS; null where the site makes none. */
  backups: BackupRetention | null
  /** What photos may take of the disk; by default anything. */
  storage?: StorageLimits
  now?: number
}

const NO_LIMITS: StorageLimits = { siteUploadBytesPerDay: 0, minFreeBytes: 0 }

/**
 * Runs all checks without changing anything, also while the server runs. Of photos only the presence is checked.
 * @throws MaintenanceError where there is no data
 */
export async function runChecks({
  dataDir,
  backupDir,
  backups,
  storage = NO_LIMITS,
  now = Date.now(),
}: DoctorOptions): Promise<Finding[]> {
  const use = findUse(dataDir)
  // Where nobody knows, files may be those of a server at work.
  const isServed = use.isServed ?? true
  const findings = [use.finding]
  const databaseFindings = await withDatabase(
    dataDir,
    async (sqlite) => {
      const results = checkDatabase(sqlite)
      if (results[0]?.level !== 'ok') return results
      const photos = await checkPhotos(dataDir, sqlite, { isServed, now }).then(toPhotoFindings).catch(toAwayFinding)
      return [...results, ...photos, ...checkStorageBudget(sqlite, storage, now)]
    },
    unreadableFinding,
  ).catch(toPermissionFinding)
  const folderFindings = (await checkDataDir(dataDir, isServed, storage)).filter(
    ({ what }) => !databaseFindings.some((other) => other.what === what),
  )
  const backupFindings = await checkBackups(backupDir, backups, now).catch(toPermissionFinding)
  findings.push(...databaseFindings, ...folderFindings, ...backupFindings)
  return findings
}

/** Whether the site runs; null where its lock cannot be taken. */
function findUse(dataDir: string): { isServed: boolean | null; finding: Finding } {
  try {
    const isServed = isDataInUse(dataDir)
    return { isServed, finding: ok('sitio', isServed ? 'en marcha' : 'parado') }
  } catch (error) {
    const file = join(dataDir, DATA_LOCK)
    const reason = permissionText(error, [dataDir, file]) ?? explainError(error)
    return { isServed: null, finding: warning('sitio', `no se sabe si está en marcha: ${reason}`) }
  }
}

const unreadableFinding = (reason: string): Finding[] => [
  failure('base de datos', `no se puede leer (${reason}): restaura la última copia con npm run restore`),
]

/** @throws any error that is not a bucket that is away */
function toAwayFinding(error: unknown): Finding[] {
  if (!(error instanceof StoreAwayError)) throw error
  return [failure('fotos', `no se pueden mirar: ${explainError(error)}`)]
}

/** @throws any error that is not a missing permission */
function toPermissionFinding(error: unknown): Finding[] {
  const text = permissionText(error)
  if (text === null) throw error
  return [failure('permisos', text)]
}

/**
 * Repairs what can be repaired, also while the server runs: then files younger than an hour do not count as left behind.
 * @returns what was done, in Spanish sentences
 * @throws MaintenanceError where there is no data
 */
export async function runRepairs({
  dataDir,
  backupDir,
  now = Date.now(),
}: Pick<DoctorOptions, 'dataDir' | 'backupDir' | 'now'>): Promise<string[]> {
  // With the exclusive lock no server can start, so that new files are certainly left behind.
  const release = lockIfFree(dataDir)
  try {
    const repairs = await withDatabase(
      dataDir,
      async (sqlite) => {
        const done: string[] = []
        if (findIntegrityFaults(sqlite, 1).length > 0) return done
        const completed = readContents(sqlite).migrations
        const isMigrated = Object.keys(migrations).every((name) => completed.includes(name))
        const repairedCounts = isMigrated ? repairCounts(sqlite) : []
        if (repairedCounts.length > 0) done.push(`recuentos rehechos: ${repairedCounts.join(', ')}`)
        const discardedCases = isMigrated ? repairOrphanedCases(sqlite) : 0
        if (discardedCases > 0)
          done.push(`${formatPlural(discardedCases, 'caso cerrado', 'casos cerrados')} sobre lo que ya no está`)
        const check = await checkPhotos(dataDir, sqlite, { isServed: release === null, now })
        done.push(...(await repairPhotos(dataDir, backupDir, sqlite, check)))
        sqlite.pragma('wal_checkpoint(TRUNCATE)')
        return done
      },
      () => [],
    )
    repairs.push(...(await repairPermissions(dataDir)))
    if (release && !isHalfRestored(dataDir))
      for (const name of await readdir(dataDir))
        if (name.startsWith(STAGE_PREFIX)) {
          await rm(join(dataDir, name), { recursive: true, force: true })
          repairs.push('restos de una restauración borrados')
        }
    return repairs
  } finally {
    release?.()
  }
}

function lockIfFree(dataDir: string): (() => void) | null {
  try {
    return lockDataExclusive(dataDir)
  } catch {
    return null
  }
}

/**
 * Opens the database for `action` and closes it.
 * @param onUnreadable returns the result for a database that cannot be read
 * @throws MaintenanceError where there is no database
 */
async function withDatabase<T>(
  dataDir: string,
  action: (sqlite: Database.Database) => Promise<T[]>,
  onUnreadable: (reason: string) => T[],
): Promise<T[]> {
  const file = join(dataDir, DATABASE_FILE)
  if (!(await isThere(file)))
    throw new MaintenanceError(`no hay base de datos en ${dataDir}: arranca antes el sitio, o di DATA_DIR.`)
  if (!(await isDatabase(file))) return onUnreadable(explainError({ code: 'SQLITE_NOTADB' }))
  let sqlite: Database.Database | undefined
  try {
    sqlite = openForMaintenance(file)
    return await action(sqlite)
  } catch (error) {
    if (!errorCode(error).startsWith('SQLITE_')) throw error
    const text = permissionText(error, databasePaths(file))
    if (text !== null) throw new MaintenanceError(`${text}.`)
    return onUnreadable(explainError(error))
  } finally {
    sqlite?.close()
  }
}
