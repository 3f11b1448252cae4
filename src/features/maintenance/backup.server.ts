import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip, createGzip } from 'node:zlib'
import type Database from 'better-sqlite3'
import { type Db, toKysely } from '#db/client.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'
import type { BackupRetention } from '#lib/backup-retention.ts'
import { forEachConcurrently } from '#lib/concurrency.ts'
import { BUCKET_CONCURRENCY, listKey, listSizes } from './backup-bucket.server.ts'
import { BackupPart, bucketTarget, folderTarget, poolKey } from './backup-part.server.ts'
import { selectExpiredBackups } from './backup-policy.ts'
import * as record from './backup-record.server.ts'
import * as contents from './database-contents.server.ts'
import * as files from './files.server.ts'
import { withLockedBackups } from './lock.server.ts'
import { backupName, BACKUP_FREE_MARGIN_BYTES, MaintenanceError } from './maintenance.ts'

/** Ends the name of an unfinished backup, which never counts as one. */
const UNFINISHED_SUFFIX = '.part'
/** Photos of a folder that are copied at the same time: few enough that the site's own reads are not starved. */
const COPY_CONCURRENCY = 4
/** Photos may be deleted while they are copied; then the database is copied again, up to this often. */
const MAX_SNAPSHOTS = 3

export interface BackupOptions extends contents.DataLocation {
  backupDir: string
  now?: number
}

export interface Backup extends record.BackupRecord {
  name: string
  path: string
}

/**
 * Makes a backup of the data as it is now, also while the server runs. It contains every photo that the copied database
 * references; of a PostgreSQL, which its own tools back up, those that it references now, and no database. Photos that the last backup has
 * are linked, not copied. Every file is read again before the backup gets its name.
 * @throws MaintenanceError with the reason; a failed backup leaves nothing behind
 */
export function makeBackup(options: BackupOptions): Promise<Backup> {
  const { dataDir, backupDir, now = Date.now() } = options
  const make = () =>
    contents.withDatabase(options, async (db, file) => {
      if ((await contents.listKnownMigrations(db)).length === 0)
        throw new MaintenanceError('no hay nada en ese PostgreSQL: arranca antes el sitio, o revisa DATABASE_URL.')
      return withLockedBackups(backupDir, async () => {
        // The remains of attempts that a crash or a full disk ended.
        for (const name of await readdir(backupDir))
          if (name.endsWith(UNFINISHED_SUFFIX)) await rm(join(backupDir, name), { recursive: true, force: true })
        let time = now
        while (existsSync(join(backupDir, backupName(time)))) time += 1000
        const path = join(backupDir, backupName(time))
        const folder = path + UNFINISHED_SUFFIX
        try {
          const filled = await fillBackup(dataDir, backupDir, { db, file, folder, time })
          await rename(folder, path)
          await files.syncFolder(backupDir)
          return { ...filled, name: backupName(time), path }
        } catch (error) {
          await rm(folder, { recursive: true, force: true })
          throw error
        }
      })
    })
  const paths = [...files.databasePaths(join(dataDir, files.DATABASE_FILE)), backupDir]
  return files.explaining('la copia no se pudo hacer', paths, make)
}

interface NewBackup {
  db: Db
  /** The SQLite file, which the backup copies; null for a PostgreSQL. */
  file: Database.Database | null
  /** The unfinished backup's own folder. */
  folder: string
  time: number
}

async function fillBackup(dataDir: string, backupDir: string, { db, file, folder, time }: NewBackup) {
  const store = photoStore(dataDir)
  const previous = await findPreviousBackup(backupDir)
  const backup = new BackupPart(folderTarget(folder, previous?.path ?? null), previous?.sums ?? new Map())
  const inBucket = store.isRemote
    ? new BackupPart(bucketTarget(store, await listSizes(store, poolKey('photos/'))), previous?.bucketSums ?? new Map())
    : null
  const photos = inBucket ?? backup
  const sizes = await listSizes(store, 'photos/')

  /** @param names paths under `photos/` @returns those that are missing, sorted */
  const addPhotos = async (names: Iterable<string>): Promise<string[]> => {
    const missing: string[] = []
    await forEachConcurrently(names, inBucket ? BUCKET_CONCURRENCY : COPY_CONCURRENCY, async (name) => {
      const path = `photos/${name}`
      const former = `photos/${contents.otherPhotoPath(name)}`
      if (photos.has(path)) return
      // A photo's content never changes under its name.
      if (await photos.reuse(path, sizes.get(path) ?? sizes.get(former) ?? 0)) return
      const photo = (await store.get(path)) ?? (await store.get(former))
      if (photo?.length) await photos.add(path, photo)
      else missing.push(name)
    })
    return missing.toSorted()
  }

  const addReferenced = async (from: Db) => {
    const referenced = await contents.listReferencedPhotos(from)
    return { referenced, missing: await addPhotos(referenced) }
  }

  /** Copies the database, then the photos that the copy references. If some were deleted in between, copies the database again. */
  const addDatabase = async (source: Database.Database) => {
    const copy = join(folder, files.DATABASE_FILE)
    let missing: string[] = []
    for (let attempt = 1; ; attempt++) {
      await rm(copy, { force: true })
      // One read transaction, so that writers do not wait, and a copy without traces of deleted rows.
      source.prepare('VACUUM INTO ?').run(copy)
      const snapshot = contents.openForMaintenance(copy, { readonly: true })
      try {
        const { referenced, ...added } = await addReferenced(toKysely(snapshot))
        // Photos missing after two snapshots were lost before the backup: the doctor reports them, and the backup continues.
        const isSameAsBefore = attempt > 1 && String(added.missing) === String(missing)
        missing = added.missing
        if (missing.length > 0 && attempt < MAX_SNAPSHOTS && !isSameAsBefore) continue
        await photos.retainPhotos(referenced)
        return { ...(await packDatabase(snapshot, folder, backup)), missing }
      } finally {
        snapshot.close()
      }
    }
  }

  const addWithoutDatabase = async () => {
    const { referenced, missing } = await addReferenced(db)
    await photos.retainPhotos(referenced)
    return { ...(await contents.readContents(db)), database: null, missing }
  }

  /** Adds a file whose content may change under its name. */
  const addIfThere = async (path: string, content: Buffer | null) => content && (await backup.add(path, content))

  const referenced = await contents.listReferencedPhotos(db)
  // Before anything is written: the copy of the database and, beside it for a while, the compressed one.
  const pages = (name: string) => (file ? (file.pragma(name, { simple: true }) as number) : 0)
  let requiredBytes = pages('page_count') * pages('page_size') * 1.5 + BACKUP_FREE_MARGIN_BYTES
  for (const path of inBucket ? [] : [...referenced].map((name) => `photos/${name}`))
    if (!previous?.sums.has(path)) requiredBytes += sizes.get(path) ?? 0
  await files.assertFreeSpace(backupDir, requiredBytes, ` para la copia en ${backupDir}`)
  await mkdir(inBucket ? folder : join(folder, 'photos'), { recursive: true, mode: 0o700 })
  // Photos are copied before the database, so that most of those deleted meanwhile are in the backup, and again after it,
  // for the new uploads that the copied database references.
  await addPhotos(referenced)
  const copied = file ? await addDatabase(file) : await addWithoutDatabase()
  for (const name of files.LOCAL_BACKED_UP)
    await addIfThere(name, await readFile(join(dataDir, name)).catch(files.ifAbsent(null)))
  for (const key of (await listSizes(store, 'razas/')).keys()) await addIfThere(key, await store.get(key))
  if (inBucket) {
    const list = Buffer.from(record.formatChecksums(inBucket.sums))
    await store.put(listKey(backupName(time)), list)
    await backup.add(record.BUCKET_PHOTOS_FILE, list)
  }
  const added = { ...backup.added }
  added.files += inBucket?.added.files ?? 0
  added.bytes += inBucket?.added.bytes ?? 0
  const inBucketSize = inBucket && { bucket: inBucket.size }
  return record.writeRecord(folder, backup.sums, {
    created_at: time,
    ...copied,
    ...backup.size,
    added,
    ...inBucketSize,
  })
}

/** The newest backup with readable checksums, or null. */
async function findPreviousBackup(backupDir: string) {
  for (const name of (await record.listBackups(backupDir)).toReversed()) {
    const path = join(backupDir, name)
    const sums = await record.readChecksums(path).catch(() => null)
    if (sums)
      return { path, sums, bucketSums: await record.readChecksums(path, record.BUCKET_PHOTOS_FILE).catch(() => null) }
  }
  return null
}

/** Compresses the snapshot, and reads the compressed file again. @throws MaintenanceError when the snapshot is damaged */
async function packDatabase(snapshot: Database.Database, folder: string, backup: BackupPart) {
  const [fault] = contents.findIntegrityFaults(snapshot)
  if (fault) throw new MaintenanceError(`la base de datos está dañada y no se copia: ${fault} (mira npm run doctor).`)
  const [file, packed] = [join(folder, files.DATABASE_FILE), join(folder, record.PACKED_DATABASE)]
  const copied = await contents.readContents(toKysely(snapshot))
  const sha256 = await files.copyFile(file, packed, createGzip({ level: 5 }))
  if ((await files.hashFile(packed, createGunzip())) !== sha256)
    throw new MaintenanceError('la base de datos copiada no se lee igual que se escribió.')
  const bytes = (await files.fileSize(file)) ?? 0
  await rm(file)
  backup.addWritten(record.PACKED_DATABASE, await files.hashFile(packed), (await files.fileSize(packed)) ?? 0)
  return { ...copied, database: { bytes, sha256 } }
}

/** Deletes the backups that `retention` does not retain. @returns their names */
export async function deleteExpiredBackups(backupDir: string, retention: BackupRetention): Promise<string[]> {
  const names = selectExpiredBackups(await record.listBackups(backupDir), retention)
  for (const path of names.map((name) => join(backupDir, name))) {
    // Renamed to unfinished first: a partly deleted backup must not count as one.
    await rename(path, path + UNFINISHED_SUFFIX)
    await rm(path + UNFINISHED_SUFFIX, { recursive: true, force: true })
  }
  return names
}
