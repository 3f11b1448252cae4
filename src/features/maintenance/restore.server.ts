import { existsSync } from 'node:fs'
import { link, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { migrate, openDatabase, sqliteOf, toKysely } from '#db/client.ts'
import { isKnownMigration } from '#db/migration-names.ts'
import { isBlankContent } from '#features/storage/files.server.ts'
import { photoStore, type PhotoStore } from '#features/storage/photo-store.server.ts'
import { errorCode } from '#lib/error-code.ts'
import { forEachConcurrently } from '#lib/concurrency.ts'
import { BUCKET_CONCURRENCY } from './backup-bucket.server.ts'
import { poolKey } from './backup-part.server.ts'
import * as backups from './backup-record.server.ts'
import * as contents from './database-contents.server.ts'
import * as files from './files.server.ts'
import { beginSwap, endSwap, withLockedData } from './lock.server.ts'
import { backupName, MaintenanceError } from './maintenance.ts'
import { withUnservedPostgres } from './postgres.server.ts'

/** Begins the name of a restore's working folder, which a killed restore leaves behind. */
export const STAGE_PREFIX = '.restore-'
/** Begins the name of the folder with the data from before a restore. */
export const PREVIOUS_DATA_PREFIX = 'before-restore-'

export interface RestoreOptions extends contents.DataLocation {
  /** The backup's folder. */
  backup: string
  now?: number
}

export interface RestoreResult extends backups.BackupRecord {
  /** The folder with the previous data; null where there was none. */
  aside: string | null
}

/** A backup whose files are all as they were written. */
interface CheckedBackup {
  path: string
  record: backups.BackupRecord
  sums: ReadonlyMap<string, string>
}

/** A refusal before anything has changed. */
const refusal = (reason: string) => new MaintenanceError(`${reason}. No se ha tocado nada.`)

/**
 * Replaces the data with a backup, of this version of the program or an earlier one. Everything is compared with its hash, unpacked beside the
 * data and migrated before anything changes. The previous data is moved to a folder of its own, never deleted; photos in a bucket are only
 * added. With PostgreSQL photos and files are restored, and the database with its own tools.
 * @throws MaintenanceError while a server uses the data, for a damaged backup, one of a newer version, or a full disk
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { dataDir, databaseUrl, now = Date.now() } = options
  const backup = await checkBackup(options.backup)
  const store = photoStore(dataDir)
  await assertSameKind(backup, databaseUrl, store)
  const work = async () => {
    await deleteStages(dataDir)
    const { record } = backup
    // A migration may write the database anew.
    await files.assertFreeSpace(dataDir, record.bytes + 2 * (record.database?.bytes ?? 0))
    const stage = join(dataDir, `${STAGE_PREFIX}${backupName(now)}`)
    try {
      await unpackBackup(backup, stage, store)
      const names = record.database ? await prepareDatabase(backup, stage) : await listPhotos(backup.path)
      if (store.isRemote) await restoreToBucket(store, backup, names, now)
      if (record.database) await mergeWal(dataDir)
      beginSwap(dataDir, backup.path)
      const aside = await swapData(dataDir, stage, store.isRemote ? files.LOCAL_BACKED_UP : files.BACKED_UP, now)
      await files.syncFolder(dataDir)
      endSwap(dataDir)
      return { ...record, aside }
    } finally {
      await rm(stage, { recursive: true, force: true }).catch(() => {})
    }
  }
  const paths = files.databasePaths(join(dataDir, files.DATABASE_FILE))
  return withLockedData(dataDir, 'restaurar', () => files.explaining('no se pudo restaurar', paths, work))
}

/** Compares every file of a backup with its hash. @throws MaintenanceError for a damaged backup, or one of a newer version */
async function checkBackup(path: string): Promise<CheckedBackup> {
  const record = await backups.readRecord(path)
  const unknownMigration = record.migrations.find((name) => !isKnownMigration(name))
  if (unknownMigration)
    throw new MaintenanceError(
      `la copia es de una versión más nueva del programa (${unknownMigration}): actualízalo antes de restaurar.`,
    )
  if (!(await backups.areSumsIntact(path, record)))
    throw new MaintenanceError(`la copia ${path} está dañada: ${backups.CHECKSUMS_FILE} no es el que se escribió.`)
  const sums = await backups.readChecksums(path)
  const damaged = await backups.findDamagedFiles(path, sums)
  if (record.database && !sums.has(backups.PACKED_DATABASE)) damaged.push(backups.PACKED_DATABASE)
  const others = damaged.length > 1 ? ` y ${damaged.length - 1} más` : ''
  if (damaged.length > 0) throw refusal(`la copia ${path} está dañada: ${damaged[0]}${others}`)
  return { path, record, sums }
}

/** @throws MaintenanceError for a backup of a site with the other kind of database or store, or while servers use the PostgreSQL */
async function assertSameKind(
  { path, record }: CheckedBackup,
  databaseUrl: string | undefined,
  store: PhotoStore,
): Promise<void> {
  const toPostgres = 'restáurala sin DATABASE_URL y llévala a PostgreSQL con npm run move -- --to'
  if (record.database && databaseUrl) throw refusal(`la copia ${path} tiene una base de datos SQLite: ${toPostgres}`)
  if (!record.database && !databaseUrl)
    throw refusal(`la copia ${path} es de un sitio con PostgreSQL y no tiene la base de datos: pon DATABASE_URL`)
  if (databaseUrl) await withUnservedPostgres(databaseUrl, async () => {})
  if (record.bucket && !store.isRemote)
    throw refusal(`la copia ${path} tiene sus fotos en un bucket: pon los valores S3_… del sitio que la hizo`)
}

/** Deletes the working folders of restores that were killed. @returns how many */
export async function deleteStages(dataDir: string): Promise<number> {
  const stages = (await readdir(dataDir)).filter((name) => name.startsWith(STAGE_PREFIX))
  for (const name of stages) await rm(join(dataDir, name), { recursive: true, force: true })
  return stages.length
}

/** Copies the backup to `stage`, on the data's disk, so that the swap is only renames. Compares what it reads with the hashes again. */
async function unpackBackup({ path, sums }: CheckedBackup, stage: string, store: PhotoStore): Promise<void> {
  await mkdir(stage, { mode: 0o700 })
  await forEachConcurrently(sums, 4, async ([name, sum]) => {
    if (store.isRemote && /^(?:photos|razas)\//.test(name)) return
    const copiedSum =
      name === backups.PACKED_DATABASE
        ? await files.copyFile(join(path, name), join(stage, files.DATABASE_FILE), createGunzip())
        : await files.copyFile(join(path, name), join(stage, name))
    if (copiedSum !== sum) throw refusal(`la copia ${path} está dañada: ${name}`)
  })
}

/**
 * Compares the unpacked database with its hash and record, and each photo that it references with those of the backup. Migrates it.
 * @returns the photos that it references, by their paths under `photos/`
 */
async function prepareDatabase({ path, record }: CheckedBackup, stage: string): Promise<ReadonlySet<string>> {
  const file = join(stage, files.DATABASE_FILE)
  const isIntact = (await files.hashFile(file)) === record.database?.sha256
  const sqlite = contents.openForMaintenance(file, { readonly: true })
  let names: ReadonlySet<string>
  try {
    const { rows } = await contents.readContents(toKysely(sqlite))
    const hasSameRows = JSON.stringify(rows) === JSON.stringify(record.rows)
    if (!isIntact || !hasSameRows || contents.findIntegrityFaults(sqlite).length > 0)
      throw refusal(`la copia ${path} está dañada: su base de datos no es la que se guardó`)
    names = await contents.listReferencedPhotos(toKysely(sqlite))
  } finally {
    sqlite.close()
  }
  const present = await listPhotos(path)
  for (const name of names)
    if (![name, contents.otherPhotoPath(name)].some((each) => present.has(each)) && !record.missing.includes(name))
      throw refusal(`la copia ${path} está incompleta: falta photos/${name}`)
  const db = openDatabase(file)
  await migrate(db)
    // Into the file, which alone is put in place: SQLite leaves its log behind where a disk is full, and says nothing.
    .then(() => void sqliteOf(db).pragma('wal_checkpoint(TRUNCATE)'))
    .finally(() => db.destroy())
  return names
}

/** The sums of a backup's photos, by path: those in its folder, and those in the bucket. @throws MaintenanceError for an invalid list */
export async function readPhotoSums(backup: string): Promise<ReadonlyMap<string, string>> {
  const sums = await backups.readChecksums(backup)
  const inBucket = sums.has(backups.BUCKET_PHOTOS_FILE)
    ? await backups.readChecksums(backup, backups.BUCKET_PHOTOS_FILE)
    : []
  return new Map([...[...sums].filter(([path]) => path.startsWith('photos/')), ...inBucket])
}

/** The photos of a backup, by their paths under `photos/`. */
const listPhotos = async (backup: string): Promise<ReadonlySet<string>> =>
  new Set([...(await readPhotoSums(backup)).keys()].map((path) => path.slice('photos/'.length)))

/**
 * Reads a photo of a backup, from its folder or the bucket. @param name its path under `photos/` @param sums those of `readPhotoSums`
 * @returns null where it is missing, blank or not what was written
 */
export async function readBackupPhoto(
  store: PhotoStore,
  backup: string,
  sums: ReadonlyMap<string, string>,
  name: string,
): Promise<Buffer | null> {
  for (const path of [`photos/${name}`, `photos/${contents.otherPhotoPath(name)}`]) {
    const sum = sums.get(path)
    if (sum === undefined) continue
    const local = await readFile(join(backup, path)).catch(() => null)
    const photo = local ?? (store.isRemote ? await store.get(poolKey(path)) : null)
    if (photo && files.hashBytes(photo) === sum && !isBlankContent(photo)) return photo
  }
  return null
}

/**
 * Puts a backup's photos into the bucket, where its database expects them, before the database is replaced. Photos are only added, since
 * none changes its content under its name; those that no row names afterwards are reported by the doctor.
 * @throws MaintenanceError for a photo that is in neither; StoreUnavailableError
 */
async function restoreToBucket(
  store: PhotoStore,
  { path, record, sums }: CheckedBackup,
  names: ReadonlySet<string>,
  now: number,
): Promise<void> {
  const photoSums = await readPhotoSums(path)
  await forEachConcurrently(names, BUCKET_CONCURRENCY, async (name) => {
    const key = `photos/${name}`
    if (record.missing.includes(name) || (await store.size(key))) return
    // Hidden or shown since the backup.
    if (await store.copy(`photos/${contents.otherPhotoPath(name)}`, key)) return
    const photo = await readBackupPhoto(store, path, photoSums, name)
    if (!photo)
      throw new MaintenanceError(`la copia ${path} está incompleta: falta ${key}. La base de datos no se ha tocado.`)
    await store.put(key, photo)
  })
  for (const key of [...sums.keys()].filter((name) => name.startsWith('razas/'))) {
    const picture = await readFile(join(path, key))
    const current = await store.get(key)
    if (current?.equals(picture)) continue
    if (current) await store.put(`${PREVIOUS_DATA_PREFIX}${backupName(now)}/${key}`, current)
    await store.put(key, picture)
  }
}

/**
 * Checkpoints the old database's WAL and removes it, because SQLite would replay it into the new database. A damaged database
 * is left with its WAL, and both are moved aside: SQLite would delete the WAL.
 * @throws MaintenanceError while another process has the database open
 */
async function mergeWal(dataDir: string): Promise<void> {
  const file = join(dataDir, files.DATABASE_FILE)
  if (!(await files.isDatabase(file))) return
  try {
    const sqlite = contents.openForMaintenance(file)
    try {
      sqlite.pragma('busy_timeout = 1000')
      sqlite.pragma('journal_mode = DELETE')
    } finally {
      sqlite.close()
    }
  } catch (error) {
    if (errorCode(error).startsWith('SQLITE_BUSY'))
      throw new MaintenanceError('el sitio está en marcha sobre estos datos: páralo antes de restaurar.')
  }
}

/** Moves the previous data aside and the staged data in. @returns the folder with the previous data; null where there was none */
async function swapData(dataDir: string, stage: string, names: readonly string[], now: number): Promise<string | null> {
  const aside = join(dataDir, `${PREVIOUS_DATA_PREFIX}${backupName(now)}`)
  const moveAside = async (name: string, move = rename) => {
    if (!existsSync(join(dataDir, name))) return
    await mkdir(aside, { recursive: true, mode: 0o700 })
    await move(join(dataDir, name), join(aside, name))
  }
  const moveIn = (name: string) => rename(join(stage, name), join(dataDir, name))
  for (const name of names) {
    await moveAside(name)
    if (existsSync(join(stage, name))) await moveIn(name)
  }
  const database = files.DATABASE_FILE
  if (existsSync(join(stage, database))) {
    for (const suffix of ['-wal', '-shm']) await moveAside(database + suffix)
    // The database's name exists at every moment: the old one gets a second name, then the new one replaces it.
    await moveAside(database, (from, to) => link(from, to).catch(() => rename(from, to)))
    await moveIn(database)
  }
  return existsSync(aside) ? aside : null
}
