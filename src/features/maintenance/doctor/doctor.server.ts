import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { migrations } from '#db/migrations/index.ts'
import { MaintenanceError, type BackupRetention } from '#features/maintenance/maintenance.ts'
import { repairCounts } from '#features/maintenance/count-drift.server.ts'
import {
  DATABASE_FILE,
  databasePaths,
  isDatabase,
  isThere,
  permissionText,
  explainError,
} from '#features/maintenance/files.server.ts'
import { isHalfRestored, isDataInUse, lockDataExclusive } from '#features/maintenance/lock.server.ts'
import { STAGE_PREFIX } from '#features/maintenance/restore.server.ts'
import {
  findIntegrityFaults,
  readContents,
  openForMaintenance,
} from '#features/maintenance/database-contents.server.ts'
import { checkBackups } from './check-backups.server.ts'
import { checkDatabase } from './check-database.server.ts'
import { failure, type Finding, ok } from './finding.ts'
import { toPhotoFindings, repairPhotos, checkPhotos } from './check-photos.server.ts'
import { checkDataDir, repairPermissions } from './check-data-dir.server.ts'

export interface DoctorOptions {
  dataDir: string
  backupDir: string
  /** What BACKUPS wants. */
  backups: BackupRetention | null
  now?: number
}

/**
 * Looks everything over and changes nothing; also while the server runs. Photos are only looked for, not read.
 * @throws MaintenanceError where there is no data
 */
export async function runChecks({ dataDir, backupDir, backups, now = Date.now() }: DoctorOptions): Promise<Finding[]> {
  const served = isDataInUse(dataDir)
  const findings = [ok('sitio', served ? 'en marcha' : 'parado')]
  const data = await withDatabase(
    dataDir,
    async (sqlite) => {
      const database = checkDatabase(sqlite)
      if (database[0]!.level !== 'ok') return database
      return [...database, ...toPhotoFindings(await checkPhotos(dataDir, sqlite, { isServed: served, now }))]
    },
    unreadableFinding,
  ).catch(denied)
  const place = (await checkDataDir(dataDir, served)).filter(({ what }) => !data.some((other) => other.what === what))
  findings.push(...data, ...place, ...(await checkBackups(backupDir, backups, now).catch(denied)))
  return findings
}

const unreadableFinding = (why: string): Finding[] => [
  failure('base de datos', `no se puede leer (${why}): restaura la última copia con npm run restore`),
]

/** @throws any error that is no missing permission */
function denied(error: unknown): Finding[] {
  const text = permissionText(error)
  if (text === null) throw error
  return [failure('permisos', text)]
}

/**
 * Mends what can be mended; also while the server runs: then nothing younger than an hour is taken for left behind.
 * @returns what was done, in Spanish
 * @throws MaintenanceError where there is no data
 */
export async function runRepairs({ dataDir, backupDir, now = Date.now() }: DoctorOptions): Promise<string[]> {
  // While nobody serves it, nobody may begin to either: what is new is then left behind for sure.
  const release = lockIfFree(dataDir)
  try {
    const done = await withDatabase(
      dataDir,
      async (sqlite) => {
        const told: string[] = []
        if (findIntegrityFaults(sqlite, 1).length > 0) return told
        const { migrations: made } = readContents(sqlite)
        const off = Object.keys(migrations).every((name) => made.includes(name)) ? repairCounts(sqlite) : []
        if (off.length > 0) told.push(`recuentos rehechos: ${off.join(', ')}`)
        const found = await checkPhotos(dataDir, sqlite, { isServed: release === null, now })
        told.push(...(await repairPhotos(dataDir, backupDir, sqlite, found)))
        sqlite.pragma('wal_checkpoint(TRUNCATE)')
        return told
      },
      () => [],
    )
    done.push(...(await repairPermissions(dataDir)))
    if (release && !isHalfRestored(dataDir))
      for (const name of await readdir(dataDir))
        if (name.startsWith(STAGE_PREFIX)) {
          await rm(join(dataDir, name), { recursive: true, force: true })
          done.push('restos de una restauración borrados')
        }
    return done
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

/** @param broken what stands for a database that cannot be read; none at all is the end */
async function withDatabase<T>(
  dataDir: string,
  look: (sqlite: Database.Database) => Promise<T[]>,
  broken: (why: string) => T[],
): Promise<T[]> {
  const file = join(dataDir, DATABASE_FILE)
  if (!(await isThere(file)))
    throw new MaintenanceError(`no hay base de datos en ${dataDir}: arranca antes el sitio, o di DATA_DIR.`)
  if (!(await isDatabase(file))) return broken(explainError({ code: 'SQLITE_NOTADB' }))
  let sqlite: Database.Database | undefined
  try {
    sqlite = openForMaintenance(file)
    return await look(sqlite)
  } catch (error) {
    if (!(error as { code?: string }).code?.startsWith('SQLITE_')) throw error
    const text = permissionText(error, databasePaths(file))
    if (text !== null) throw new MaintenanceError(`${text}.`)
    return broken(explainError(error))
  } finally {
    sqlite?.close()
  }
}
