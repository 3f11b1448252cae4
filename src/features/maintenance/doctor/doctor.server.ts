import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Db, sqliteOf } from '#db/client.ts'
import type { BackupRetention } from '#lib/backup-retention.ts'
import { formatPlural, MaintenanceError } from '#features/maintenance/maintenance.ts'
import { discardOrphanedCases } from '#features/moderation/orphaned-cases.server.ts'
import { isBusyError } from '#db/dialect/command-locks.ts'
import { repairCounts } from '#features/maintenance/count-drift.server.ts'
import { permissionText, explainError } from '#features/maintenance/files.server.ts'
import { DATA_LOCK, isHalfRestored, isDataInUse, lockDataExclusive } from '#features/maintenance/lock.server.ts'
import { STAGE_PREFIX } from '#features/maintenance/restore.server.ts'
import {
  findIntegrityFaults,
  listPendingMigrations,
  listRunMigrations,
} from '#features/maintenance/database-contents.server.ts'
import { isMoveUnfinished } from '#features/maintenance/move/move-rows.server.ts'
import { StoreUnavailableError } from '#features/storage/store-unavailable.ts'
import type { StorageLimits } from '#features/photos/storage-budget.server.ts'
import { countServerConnections } from '#db/dialect/postgres/connect.ts'
import { checkBackups } from './check-backups.server.ts'
import { checkSqlite } from './check-database.server.ts'
import { checkPostgres } from './check-postgres.server.ts'
import { failure, type Finding, ok, warning } from './finding.ts'
import { checkPhotos, toPhotoFindings } from './check-photos.server.ts'
import { repairPhotos } from './repair-photos.server.ts'
import { checkDataDir, checkStorageBudget, repairPermissions } from './check-data-dir.server.ts'
import { withPostgres, withSqlite } from './open-database.server.ts'

export interface DoctorOptions {
  dataDir: string
  /** Where the database is a PostgreSQL; by default it is the file in `dataDir`. */
  databaseUrl?: string | undefined
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

const NO_LIMITS: StorageLimits = { siteUploadBytesPerDay: 0, minFreeBytes: 0 }

/**
 * Runs all checks without changing anything, also while the server runs. Of photos only the presence is checked.
 * @throws MaintenanceError where there is no data
 */
export async function runChecks(options: DoctorOptions): Promise<Finding[]> {
  const {
    dataDir,
    databaseUrl,
    backupDir,
    backups,
    storage = NO_LIMITS,
    warnings = [],
    now = Date.now(),
    onFinding,
  } = options
  const use = findUse(dataDir)
  // Where nobody knows, files may be those of a server at work.
  let isServed = use.isServed ?? true
  let useFinding = use.finding
  const findings: Finding[] = []
  const add = (added: readonly Finding[]) => {
    for (const finding of findings.length === 0 ? [useFinding, ...added] : added) {
      findings.push(finding)
      onFinding?.(finding)
    }
  }
  /** @returns the findings that are not added yet */
  const checkContents = async (db: Db, results: Finding[]): Promise<Finding[]> => {
    add(results)
    if (results[0]?.level !== 'ok') return []
    add(await checkPhotos(dataDir, db, { isServed, now }).then(toPhotoFindings).catch(toUnavailableFinding))
    const isMigrated = listPendingMigrations(await listRunMigrations(db)).length === 0
    return isMigrated ? await checkStorageBudget(db, storage, now) : []
  }
  add(
    databaseUrl
      ? await withPostgres(
          databaseUrl,
          async (db) => {
            const connections = await countServerConnections(db)
            if (connections > 0) {
              isServed = true
              useFinding = ok(
                'sitio',
                `en marcha (${formatPlural(connections, 'conexión', 'conexiones')} a PostgreSQL)`,
              )
            }
            return checkContents(db, await checkPostgres(db))
          },
          (reason) => [failure('base de datos', reason)],
        )
      : await withSqlite(dataDir, async (db) => checkContents(db, await checkSqlite(db)), unreadableFinding).catch(
          toPermissionFinding,
        ),
  )
  const folderUse = { isServed, storage, hasDatabase: !databaseUrl }
  const folderFindings = await checkDataDir(dataDir, folderUse)
  add(folderFindings.filter(({ what }) => !findings.some((other) => other.what === what)))
  add(warnings.map((text) => warning('aviso del sitio', text)))
  add(await checkBackups(backupDir, backups, now).catch(toPermissionFinding))
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

/** @throws any error that is not a bucket that is unavailable */
function toUnavailableFinding(error: unknown): Finding[] {
  if (!(error instanceof StoreUnavailableError)) throw error
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
 * @throws MaintenanceError where there is no data, or PostgreSQL's writers leave no moment for a repair
 */
export async function runRepairs({
  dataDir,
  databaseUrl,
  backupDir,
  now = Date.now(),
}: Pick<DoctorOptions, 'dataDir' | 'databaseUrl' | 'backupDir' | 'now'>): Promise<string[]> {
  // With the exclusive lock no server can start, so that new files are certainly left behind.
  const release = lockIfFree(dataDir)
  try {
    const repairContents = async (db: Db, isServed: boolean): Promise<string[]> => {
      const isMigrated = listPendingMigrations(await listRunMigrations(db)).length === 0
      const done = isMigrated ? await repairRows(db) : []
      const check = await checkPhotos(dataDir, db, { isServed, now })
      return [...done, ...(await repairPhotos(dataDir, backupDir, db, check))]
    }
    const repairs = databaseUrl
      ? await withPostgres(
          databaseUrl,
          async (db) => {
            if ((await isMoveUnfinished(db)) || (await listRunMigrations(db)).length === 0) return []
            return repairContents(db, release === null || (await countServerConnections(db)) > 0)
          },
          () => [],
        )
      : await withSqlite(
          dataDir,
          async (db) => {
            if (findIntegrityFaults(sqliteOf(db), 1).length > 0) return []
            const done = await repairContents(db, release === null)
            sqliteOf(db).pragma('wal_checkpoint(TRUNCATE)')
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

async function repairRows(db: Db): Promise<string[]> {
  const repairedCounts = await repairCounts(db).catch((error: unknown) => {
    if (!isBusyError(error)) throw error
    throw new MaintenanceError('el sitio no deja de escribir en la base de datos: repítelo en un rato, o páralo antes.')
  })
  const discardedCases = await discardOrphanedCases(db)
  return [
    ...(repairedCounts.length > 0 ? [`recuentos rehechos: ${repairedCounts.join(', ')}`] : []),
    ...(discardedCases > 0
      ? [`${formatPlural(discardedCases, 'caso cerrado', 'casos cerrados')} sobre lo que ya no está`]
      : []),
  ]
}

function lockIfFree(dataDir: string): (() => void) | null {
  try {
    return lockDataExclusive(dataDir)
  } catch {
    return null
  }
}
