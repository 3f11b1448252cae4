import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { link, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { makeFolder } from '#features/storage/files.server.ts'
import { toKysely } from '#db/client.ts'
import { isKnownMigration } from '#db/migration-names.ts'
import { photoStore, type PhotoStore } from '#features/storage/photo-store.server.ts'
import { backupName, MaintenanceError, formatBytes } from './maintenance.ts'
import { readPhotoSums, restoreToBucket } from './restore-bucket.server.ts'
import * as files from './files.server.ts'
import { assertNoServers } from './postgres.server.ts'
import { forEachConcurrently } from '#lib/concurrency.ts'
import { beginSwap, DATA_LOCK, endSwap, lockDataExclusive } from './lock.server.ts'
import {
  type BackupRecord,
  findDamagedFiles,
  PACKED_DATABASE,
  readRecord,
  readChecksums,
  CHECKSUMS_FILE,
} from './backup-record.server.ts'
import {
  findIntegrityFaults,
  readContents,
  openForMaintenance,
  otherPhotoPath,
  listReferencedPhotos,
} from './database-contents.server.ts'
import { errorCode } from '#lib/error-code.ts'

export interface RestoreOptions {
  dataDir: string
  /** Where the database is a PostgreSQL: photos and files are restored, and the database with its own tools. */
  databaseUrl?: string | undefined
  /** The backup's folder. */
  backup: string
  now?: number
}

export interface RestoreResult extends BackupRecord {
  /** The folder with the previous data; null where there was none. */
  aside: string | null
}

/** Begins the name of a restore's working folder, which a killed restore leaves behind. */
export const STAGE_PREFIX = '.restore-'
/** Begins the name of the folder with the data from before a restore. */
export const PREVIOUS_DATA_PREFIX = 'before-restore-'

/**
 * Replaces the data with a backup. All files are compared with their hashes before anything changes. The previous data is
 * moved to a folder of its own, never deleted; photos in a bucket are only added.
 * @throws MaintenanceError while a server uses the data, for a damaged backup, one of a newer version, or a full disk
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { dataDir, databaseUrl, backup, now = Date.now() } = options
  const store = photoStore(dataDir)
  const record = await checkBackup(backup)
  await assertSameDatabaseKind(record, backup, databaseUrl)
  if (record.bucket && !store.isRemote)
    throw new MaintenanceError(
      `la copia ${backup} tiene sus fotos en un bucket: pon los valores S3_… del sitio que la hizo. No se ha tocado nada.`,
    )
  let release: (() => void) | null
  try {
    await makeFolder(dataDir)
    release = lockDataExclusive(dataDir)
  } catch (error) {
    throw files.cannotWriteError(error, dataDir, DATA_LOCK)
  }
  const inUseText = 'el sitio está en marcha sobre estos datos: páralo antes de restaurar.'
  if (!release) throw new MaintenanceError(inUseText)
  const stage = join(dataDir, `${STAGE_PREFIX}${backupName(now)}`)
  try {
    await deleteStages(dataDir)
    const freeBytes = await files.freeSpace(dataDir)
    const requiredBytes = record.bytes + (record.database?.bytes ?? 0)
    if (freeBytes < requiredBytes)
      throw new MaintenanceError(
        `no queda sitio: hacen falta ${formatBytes(requiredBytes)} y quedan ${formatBytes(freeBytes)}.`,
      )
    await unpackBackup(backup, stage, record, { store, now })
    if (record.database && !(await mergeWal(dataDir))) throw new MaintenanceError(inUseText)
    beginSwap(dataDir, backup)
    const names = store.isRemote ? files.LOCAL_BACKED_UP : files.BACKED_UP
    const aside = await swapData(dataDir, stage, { names, hasDatabase: record.database !== null, now })
    await files.syncFolder(dataDir)
    endSwap(dataDir)
    return { ...record, aside }
  } catch (error) {
    if (error instanceof MaintenanceError) throw error
    const denied = files.permissionText(error, files.databasePaths(join(dataDir, files.DATABASE_FILE)))
    throw new MaintenanceError(`no se pudo restaurar: ${denied ?? files.explainError(error)}.`)
  } finally {
    await rm(stage, { recursive: true, force: true }).catch(() => {})
    release()
  }
}

/** Compares every file of a backup with its hash. @throws MaintenanceError for a damaged backup, or one of a newer version */
export async function checkBackup(backup: string): Promise<BackupRecord> {
  const record = await readRecord(backup)
  const unknownMigration = record.migrations.find((name) => !isKnownMigration(name))
  if (unknownMigration)
    throw new MaintenanceError(
      `la copia es de una versión más nueva del programa (${unknownMigration}): actualízalo antes de restaurar.`,
    )
  if ((await files.hashFile(join(backup, CHECKSUMS_FILE)).catch(() => null)) !== record.sums)
    throw new MaintenanceError(`la copia ${backup} está dañada: ${CHECKSUMS_FILE} no es el que se escribió.`)
  const sums = await readChecksums(backup)
  const damaged = await findDamagedFiles(backup, sums)
  if (damaged.length > 0) {
    const others = damaged.length > 1 ? ` y ${damaged.length - 1} más` : ''
    throw new MaintenanceError(`la copia ${backup} está dañada: ${damaged[0]}${others}. No se ha tocado nada.`)
  }
  if (record.database && !sums.has(PACKED_DATABASE))
    throw new MaintenanceError(`la copia ${backup} está dañada: falta ${PACKED_DATABASE}. No se ha tocado nada.`)
  return record
}

/** @throws MaintenanceError for a backup of a site with the other kind of database, or while servers use the PostgreSQL */
async function assertSameDatabaseKind(
  { database }: BackupRecord,
  backup: string,
  databaseUrl: string | undefined,
): Promise<void> {
  if (database && databaseUrl)
    throw new MaintenanceError(
      `la copia ${backup} tiene una base de datos SQLite: restáurala sin DATABASE_URL y llévala a PostgreSQL con npm run move -- --to. No se ha tocado nada.`,
    )
  if (!database && !databaseUrl)
    throw new MaintenanceError(
      `la copia ${backup} es de un sitio con PostgreSQL y no tiene la base de datos: pon DATABASE_URL. No se ha tocado nada.`,
    )
  if (databaseUrl) await assertNoServers(databaseUrl)
}

async function deleteStages(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir))
    if (name.startsWith(STAGE_PREFIX)) await rm(join(dataDir, name), { recursive: true, force: true })
}

/** Copies the backup to `stage`, on the data's disk, so that the swap is only renames. Compares the copies with their hashes. */
async function unpackBackup(
  backup: string,
  stage: string,
  record: BackupRecord,
  { store, now }: { store: PhotoStore; now: number },
): Promise<void> {
  await mkdir(stage, { recursive: true, mode: 0o700 })
  const sums = await readChecksums(backup)
  await forEachConcurrently(sums, 4, async ([path, sum]) => {
    if (path === PACKED_DATABASE || (store.isRemote && /^(?:photos|razas)\//.test(path))) return
    await mkdir(dirname(join(stage, path)), { recursive: true })
    const copiedSum = await files.copyFile(join(backup, path), join(stage, path))
    if (copiedSum !== sum) throw new MaintenanceError(`la copia ${backup} está dañada: ${path}. No se ha tocado nada.`)
  })
  if (record.database)
    return await unpackDatabase(backup, stage, { ...record, database: record.database }, { store, now, sums })
  if (!store.isRemote) return
  const names = [...(await readPhotoSums(backup, sums)).keys()].map((path) => path.slice('photos/'.length))
  await restoreToBucket(store, backup, sums, { names, missing: new Set(record.missing), now })
}

/** Unpacks the database to `stage`, compares it with its hash and record, and each photo that it references with those of the backup. */
async function unpackDatabase(
  backup: string,
  stage: string,
  record: BackupRecord & { database: { sha256: string } },
  { store, now, sums }: { store: PhotoStore; now: number; sums: ReadonlyMap<string, string> },
): Promise<void> {
  const file = join(stage, files.DATABASE_FILE)
  const databaseSum = createHash('sha256')
  await pipeline(
    createReadStream(join(backup, PACKED_DATABASE)),
    createGunzip(),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        databaseSum.update(chunk)
        yield chunk
      }
    },
    createWriteStream(file, { flush: true }),
  )
  const sqlite = openForMaintenance(file, { readonly: true })
  const db = toKysely(sqlite)
  try {
    const hasSameRows = JSON.stringify((await readContents(db)).rows) === JSON.stringify(record.rows)
    if (databaseSum.digest('hex') !== record.database.sha256 || !hasSameRows || findIntegrityFaults(sqlite).length > 0)
      throw new MaintenanceError(
        `la copia ${backup} está dañada: su base de datos no es la que se guardó. No se ha tocado nada.`,
      )
    const missing = new Set(record.missing)
    const photoSums = await readPhotoSums(backup, sums)
    const names = await listReferencedPhotos(db)
    for (const name of names)
      if (!photoSums.has(`photos/${name}`) && !photoSums.has(`photos/${otherPhotoPath(name)}`) && !missing.has(name))
        throw new MaintenanceError(`la copia ${backup} está incompleta: falta photos/${name}. No se ha tocado nada.`)
    if (store.isRemote) await restoreToBucket(store, backup, sums, { names, missing, now })
  } finally {
    sqlite.close()
  }
}

/**
 * Checkpoints the old database's WAL and removes it, because SQLite would replay it into the new database. A damaged database
 * is left with its WAL, and both are moved aside: SQLite would delete the WAL.
 * @returns false while another process has the database open
 */
async function mergeWal(dataDir: string): Promise<boolean> {
  const file = join(dataDir, files.DATABASE_FILE)
  if (!(await files.isDatabase(file))) return true
  try {
    const sqlite = openForMaintenance(file)
    try {
      sqlite.pragma('busy_timeout = 1000')
      sqlite.pragma('journal_mode = DELETE')
    } finally {
      sqlite.close()
    }
  } catch (error) {
    return !errorCode(error).startsWith('SQLITE_BUSY')
  }
  return true
}

/** Moves the previous data aside and the staged data in. @returns the folder with the previous data; null where there was none */
async function swapData(
  dataDir: string,
  stage: string,
  { names, hasDatabase, now }: { names: readonly string[]; hasDatabase: boolean; now: number },
): Promise<string | null> {
  const aside = join(dataDir, `${PREVIOUS_DATA_PREFIX}${backupName(now)}`)
  let hasMoved = false
  const moveAside = async (name: string, move: (from: string, to: string) => Promise<void>) => {
    if (!existsSync(join(dataDir, name))) return
    await mkdir(aside, { recursive: true, mode: 0o700 })
    await move(join(dataDir, name), join(aside, name))
    hasMoved = true
  }
  for (const name of names) {
    await moveAside(name, rename)
    if (existsSync(join(stage, name))) await rename(join(stage, name), join(dataDir, name))
  }
  if (!hasDatabase) return hasMoved ? aside : null
  for (const suffix of ['-wal', '-shm']) await moveAside(files.DATABASE_FILE + suffix, rename)
  // The database's name exists at every moment: the old one gets a second name, then the new one replaces it.
  await moveAside(files.DATABASE_FILE, (from, to) => link(from, to).catch(() => rename(from, to)))
  await rename(join(stage, files.DATABASE_FILE), join(dataDir, files.DATABASE_FILE))
  return hasMoved ? aside : null
}
