import { existsSync } from 'node:fs'
import { lchown, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findUnknownMigration, toKysely } from '#db/client.ts'
import { describePostgresFault } from '#db/dialect/postgres/connect.ts'
import { makeFolder } from '#features/storage/files.server.ts'
import type { BackupRetention } from '#lib/backup-retention.ts'
import { backupName, MaintenanceError } from './maintenance.ts'
import * as files from './files.server.ts'
import { BACKUP_LOCK, lockBackups } from './lock.server.ts'
import { type BackupRecord, listBackups, UNFINISHED_SUFFIX } from './backup-record.server.ts'
import { selectExpiredBackups } from './backup-policy.ts'
import { BackupRun, type BackupSource } from './backup-run.server.ts'
import { listRunMigrations, openForMaintenance } from './database-contents.server.ts'
import { connectForMaintenance } from './postgres.server.ts'

export interface BackupOptions {
  dataDir: string
  /** Where the database is a PostgreSQL: the backup then has the photos and files, and no database. */
  databaseUrl?: string | undefined
  backupDir: string
  now?: number
}

export interface Backup extends BackupRecord {
  name: string
  path: string
}

/**
 * Makes a backup of the data as it is now, also while the server runs. It contains every photo that the copied database
 * references, or that a PostgreSQL references now. Photos that the last backup has are linked, not copied. Every file is read again
 * before the backup gets its name.
 * @throws MaintenanceError with the reason; a failed backup leaves nothing behind
 */
export async function makeBackup(options: BackupOptions): Promise<Backup> {
  const { dataDir, backupDir, databaseUrl, now = Date.now() } = options
  const databaseFile = join(dataDir, files.DATABASE_FILE)
  if (!databaseUrl && !(await files.isThere(databaseFile)))
    throw new MaintenanceError(`no hay base de datos en ${dataDir}: arranca antes el sitio, o di DATA_DIR.`)
  const release = await lockBackupsIn(backupDir)
  try {
    await deleteUnfinishedBackups(backupDir)
    let time = now
    while (existsSync(join(backupDir, backupName(time)))) time += 1000
    const path = join(backupDir, backupName(time))
    const unfinishedPath = `${path}${UNFINISHED_SUFFIX}`
    const source = databaseUrl ? await openPostgresSource(databaseUrl) : openFileSource(databaseFile)
    try {
      const record = await new BackupRun(dataDir, backupDir, unfinishedPath, source).run(time)
      await rename(unfinishedPath, path)
      await files.syncFolder(backupDir)
      return { ...record, name: backupName(time), path }
    } catch (error) {
      await rm(unfinishedPath, { recursive: true, force: true })
      throw error
    } finally {
      await source.close()
    }
  } catch (error) {
    if (error instanceof MaintenanceError) throw error
    const fault = describePostgresFault(error)
    if (fault !== null) throw new MaintenanceError(`la copia no se pudo hacer: PostgreSQL: ${fault}`)
    const denied = files.permissionText(error, [...files.databasePaths(databaseFile), backupDir])
    throw new MaintenanceError(`la copia no se pudo hacer: ${denied ?? files.explainError(error)}.`)
  } finally {
    release()
  }
}

interface OpenSource extends BackupSource {
  close: () => Promise<void>
}

/** @throws MaintenanceError for a database of a newer version */
function openFileSource(file: string): OpenSource {
  const sqlite = openForMaintenance(file)
  const unknownMigration = findUnknownMigration(sqlite)
  if (unknownMigration) {
    sqlite.close()
    throw new MaintenanceError(
      `la base de datos es de una versión más nueva del programa (${unknownMigration}): actualízalo antes de hacer copias.`,
    )
  }
  return { db: toKysely(sqlite), file: sqlite, close: async () => void sqlite.close() }
}

/** @throws MaintenanceError for a database that cannot be used, or without this program's tables */
async function openPostgresSource(url: string): Promise<OpenSource> {
  const db = await connectForMaintenance(url)
  if ((await listRunMigrations(db)).length === 0) {
    await db.destroy()
    throw new MaintenanceError('no hay nada en ese PostgreSQL: arranca antes el sitio, o revisa DATABASE_URL.')
  }
  return { db, file: null, close: () => db.destroy() }
}

/** @throws MaintenanceError while another backup is made, or where the folder cannot be written */
async function lockBackupsIn(backupDir: string): Promise<() => void> {
  let release: (() => void) | null
  try {
    const created = await makeFolder(backupDir, 0o700)
    // Root makes it for who owns the data: the nightly backup must be able to write there.
    if (created !== undefined && process.getuid?.() === 0) await giveToFolderOwner(created)
    release = lockBackups(backupDir)
  } catch (error) {
    throw files.cannotWriteError(error, backupDir, BACKUP_LOCK)
  }
  if (!release) throw new MaintenanceError('ya hay otra copia en marcha.')
  return release
}

async function giveToFolderOwner(folder: string): Promise<void> {
  const { uid, gid } = await stat(dirname(folder))
  await lchown(folder, uid, gid)
}

/** Deletes the backups that `retention` does not retain. @returns their names */
export async function deleteExpiredBackups(backupDir: string, retention: BackupRetention): Promise<string[]> {
  const names = selectExpiredBackups(await listBackups(backupDir), retention)
  for (const name of names) {
    // Renamed to unfinished first: a partly deleted backup must not count as one.
    const unfinishedPath = join(backupDir, `${name}${UNFINISHED_SUFFIX}`)
    await rename(join(backupDir, name), unfinishedPath)
    await rm(unfinishedPath, { recursive: true, force: true })
  }
  return names
}

/** Deletes the remains of attempts that a crash or a full disk ended. The caller holds the lock. */
async function deleteUnfinishedBackups(backupDir: string): Promise<void> {
  for (const name of await readdir(backupDir))
    if (name.endsWith(UNFINISHED_SUFFIX)) await rm(join(backupDir, name), { recursive: true, force: true })
}
