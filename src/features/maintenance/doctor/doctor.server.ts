import { join } from 'node:path'
import type { Db } from '#db/client.ts'
import { isBusyError } from '#db/dialect/command-locks.ts'
import { countServerConnections } from '#db/dialect/postgres/connect.ts'
import { repairCounts } from '#features/maintenance/count-drift.server.ts'
import * as contents from '#features/maintenance/database-contents.server.ts'
import * as files from '#features/maintenance/files.server.ts'
import { DATA_LOCK, isDataInUse, isHalfRestored, lockDataExclusive } from '#features/maintenance/lock.server.ts'
import { formatPlural, MaintenanceError } from '#features/maintenance/maintenance.ts'
import { isMoveUnfinished } from '#features/maintenance/move/move-rows.server.ts'
import { deleteStages } from '#features/maintenance/restore.server.ts'
import { discardOrphanedCases } from '#features/moderation/orphaned-cases.server.ts'
import type { StorageLimits } from '#features/photos/storage-budget.server.ts'
import { StoreUnavailableError } from '#features/storage/store-unavailable.ts'
import type { BackupRetention } from '#lib/backup-retention.ts'
import { errorCode } from '#lib/error-code.ts'
import { checkBackups } from './check-backups.server.ts'
import { checkDataDir, checkStorageBudget, repairPermissions } from './check-data-dir.server.ts'
import { checkDatabase } from './check-database.server.ts'
import { checkPhotos, toPhotoFindings } from './check-photos.server.ts'
import { failure, type Finding, ok, warning } from './finding.ts'
import { repairPhotos } from './repair-photos.server.ts'

export interface DoctorOptions extends contents.DataLocation {
  backupDir: string
  /** The setting BACKUPS; null where the site makes none. */
  backups: BackupRetention | null
  /** What photos may take of the disk; by default anything. */
  storage?: StorageLimits
  /** What the server has noticed since its start (server/operator-warnings.ts). */
  warnings?: readonly string[]
  now?: number
  /** Called with each finding as soon as its check has ended: the next one may wait for a bucket. */
  onFinding?: ((finding: Finding) => void) | undefined
}

/**
 * Runs all checks without changing anything, also while the server runs. Of photos only the presence is checked.
 * @throws MaintenanceError where there is no data
 */
export async function runChecks(options: DoctorOptions): Promise<Finding[]> {
  const { dataDir, databaseUrl, backupDir, now = Date.now() } = options
  const storage = options.storage ?? { siteUploadBytesPerDay: 0, minFreeBytes: 0 }
  const use = findUse(dataDir)
  // Where nobody knows, files may be those of a server at work.
  let isServed = use.detail !== 'parado'
  const findings: Finding[] = []
  const report = (added: readonly Finding[]) => {
    findings.push(...added)
    if (options.onFinding) added.forEach(options.onFinding)
  }
  const checkContents = async (db: Db, file: Parameters<typeof checkDatabase>[1]) => {
    const connections = file ? 0 : await countServerConnections(db)
    if (connections > 0) {
      isServed = true
      const detail = `en marcha (${formatPlural(connections, 'conexión', 'conexiones')} a PostgreSQL)`
      Object.assign(use, ok('sitio', detail))
    }
    const results = await checkDatabase(db, file)
    report([use, ...results])
    if (results[0]?.level !== 'ok') return
    report(await checkPhotos(dataDir, db, { isServed, now }).then(toPhotoFindings).catch(toUnavailableFinding))
    if (contents.listPendingMigrations(await contents.listRunMigrations(db)).length === 0)
      report(await checkStorageBudget(db, storage, now))
  }
  await contents.withDatabase(options, checkContents).catch((error: unknown) => {
    const finding = toUnreadableFinding(error, options)
    report(findings.length === 0 ? [use, finding] : [finding])
  })
  const folder = await checkDataDir(dataDir, { isServed, storage, hasDatabase: !databaseUrl })
  report(folder.filter(({ what }) => !findings.some((other) => other.what === what)))
  report((options.warnings ?? []).map((text) => warning('aviso del sitio', text)))
  report(
    await checkBackups(backupDir, options.backups, now).catch((error: unknown) => [
      toUnreadableFinding(error, options),
    ]),
  )
  return findings
}

/** Whether the site runs. */
function findUse(dataDir: string): Finding {
  try {
    return ok('sitio', isDataInUse(dataDir) ? 'en marcha' : 'parado')
  } catch (error) {
    const reason = files.permissionText(error, [dataDir, join(dataDir, DATA_LOCK)]) ?? files.explainError(error)
    return warning('sitio', `no se sabe si está en marcha: ${reason}`)
  }
}

/** @throws any error that is not a bucket that is unavailable */
function toUnavailableFinding(error: unknown): Finding[] {
  if (!(error instanceof StoreUnavailableError)) throw error
  return [failure('fotos', `no se pueden mirar: ${files.explainError(error)}`)]
}

/** Why something cannot be read. @throws where there is no database, and any error that is not of the data */
function toUnreadableFinding(error: unknown, { dataDir, databaseUrl }: contents.DataLocation): Finding {
  const denied = files.permissionText(error, files.databasePaths(join(dataDir, files.DATABASE_FILE)))
  if (denied !== null) return failure('permisos', denied)
  const reason = databaseUrl ? files.explainFailure(error) : null
  if (reason !== null) return failure('base de datos', reason)
  if (!errorCode(error).startsWith('SQLITE_')) throw error
  const detail = `no se puede leer (${files.explainError(error)}): restaura la última copia con npm run restore`
  return failure('base de datos', detail)
}

/**
 * Repairs what can be repaired, also while the server runs: then files younger than an hour do not count as left behind.
 * @returns what was done, in Spanish sentences
 * @throws MaintenanceError where there is no data, or PostgreSQL's writers leave no moment for a repair
 */
export async function runRepairs(
  options: Pick<DoctorOptions, 'dataDir' | 'databaseUrl' | 'backupDir' | 'now'>,
): Promise<string[]> {
  const { dataDir, backupDir, now = Date.now() } = options
  // With the exclusive lock no server can start, so that new files are certainly left behind.
  const release = lockIfFree(dataDir)
  const done: string[] = []
  try {
    await contents
      .withDatabase(options, async (db, file) => {
        const completed = await contents.listRunMigrations(db)
        if (
          file
            ? contents.findIntegrityFaults(file, 1).length > 0
            : completed.length === 0 || (await isMoveUnfinished(db))
        )
          return
        if (contents.listPendingMigrations(completed).length === 0) done.push(...(await repairRows(db)))
        const isServed = release === null || (!file && (await countServerConnections(db)) > 0)
        const check = await checkPhotos(dataDir, db, { isServed, now })
        done.push(...(await repairPhotos(dataDir, backupDir, db, check)))
        file?.pragma('wal_checkpoint(TRUNCATE)')
      })
      .catch((error: unknown) => {
        // What cannot be read is not repaired: the checks say why.
        if (error instanceof MaintenanceError && error.cause === undefined) throw error
        toUnreadableFinding(error, options)
      })
    done.push(...(await repairPermissions(dataDir)))
    if (release && !isHalfRestored(dataDir) && (await deleteStages(dataDir)) > 0)
      done.push('restos de una restauración borrados')
    return done
  } finally {
    release?.()
  }
}

async function repairRows(db: Db): Promise<string[]> {
  const counts = await repairCounts(db).catch((error: unknown) => {
    if (!isBusyError(error)) throw error
    throw new MaintenanceError('el sitio no deja de escribir en la base de datos: repítelo en un rato, o páralo antes.')
  })
  const cases = await discardOrphanedCases(db)
  return [
    ...(counts.length > 0 ? [`recuentos rehechos: ${counts.join(', ')}`] : []),
    ...(cases > 0 ? [`${formatPlural(cases, 'caso cerrado', 'casos cerrados')} sobre lo que ya no está`] : []),
  ]
}

function lockIfFree(dataDir: string): (() => void) | null {
  try {
    return lockDataExclusive(dataDir)
  } catch {
    return null
  }
}
