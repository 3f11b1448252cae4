import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import type Database from 'better-sqlite3'
import { type Db, toKysely } from '#db/client.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'
import { BUCKET_PHOTOS_FILE, BucketBackup } from './backup-bucket.server.ts'
import { backupName, BACKUP_FREE_MARGIN_BYTES, MaintenanceError, formatBytes } from './maintenance.ts'
import * as files from './files.server.ts'
import { forEachConcurrently } from '#lib/concurrency.ts'
import { BackupFiles, type PreviousBackup } from './backup-files.server.ts'
import { type BackupRecord, listBackups, PACKED_DATABASE, readChecksums, writeRecord } from './backup-record.server.ts'
import {
  findIntegrityFaults,
  readContents,
  openForMaintenance,
  listReferencedPhotos,
  snapshotTo,
} from './database-contents.server.ts'

/** Photos may be deleted while they are copied; then the database is copied again, up to this often. */
const MAX_SNAPSHOTS = 3
/** The folder of the operator's pictures, and other files whose content may change under their name, besides the database. */
const PICTURES = 'razas'
const MUTABLE_FILES = ['push-keys.json', 'dogs-geo.json'] as const

/** Where a backup puts photos: into its own folder, or into the bucket that has them. */
type BackupPhotos = Pick<BackupFiles, 'copyPhotos' | 'deleteUnreferencedPhotos' | 'verify' | 'sums' | 'added'>

/** The data's database, open. */
export interface BackupSource {
  db: Db
  /** The SQLite file, which the backup copies; null for a PostgreSQL, which its own tools back up. */
  file: Database.Database | null
}

/** One backup in the making. */
export class BackupRun {
  private readonly dataDir: string
  private readonly backupDir: string
  private readonly folder: string
  private readonly source: BackupSource

  /** @param folder the unfinished backup's own folder */
  constructor(dataDir: string, backupDir: string, folder: string, source: BackupSource) {
    this.dataDir = dataDir
    this.backupDir = backupDir
    this.folder = folder
    this.source = source
  }

  /** @throws MaintenanceError with the reason why there is no backup */
  async run(time: number): Promise<BackupRecord> {
    const previous = await this.findPreviousBackup()
    const backup = new BackupFiles(this.dataDir, this.folder, previous)
    const store = photoStore(this.dataDir)
    const bucket = store.isRemote ? await BucketBackup.open(store, await readBucketSums(previous)) : null
    const photos: BackupPhotos = bucket ?? backup
    await this.assertFreeSpace(backup)
    await mkdir(bucket ? this.folder : join(this.folder, 'photos'), { recursive: true, mode: 0o700 })
    // Photos are copied before the database, so that most of those deleted meanwhile are in the backup, and again after it,
    // for the new uploads that the copied database references.
    await photos.copyPhotos(await listReferencedPhotos(this.source.db))
    const { contents, database, missing } = this.source.file
      ? await this.copyDatabase(this.source.file, backup, photos)
      : await this.copyNewPhotos(photos)
    if (bucket) await backup.copyFolderOf(store, `${PICTURES}/`)
    else await backup.copyMutable(PICTURES)
    for (const name of MUTABLE_FILES) await backup.copyMutable(name)
    if (bucket) {
      await bucket.verify()
      await backup.write(BUCKET_PHOTOS_FILE, Buffer.from(await bucket.writeList(backupName(time))))
    }
    await backup.verify()
    let bytes = 0
    for (const path of backup.sums.keys()) bytes += (await files.fileSize(join(this.folder, path))) ?? 0
    return writeRecord(this.folder, backup.sums, {
      created_at: time,
      ...contents,
      database,
      files: backup.sums.size,
      bytes,
      added: bucket ? addCounts(backup.added, bucket.added) : backup.added,
      missing,
      ...(bucket && { bucket: { files: bucket.sums.size, bytes: bucket.bytes } }),
    })
  }

  /** The newest backup with readable checksums, or null. */
  private async findPreviousBackup() {
    for (const name of (await listBackups(this.backupDir)).toReversed()) {
      const path = join(this.backupDir, name)
      const sums = await readChecksums(path).catch(() => null)
      if (sums) return { path, sums }
    }
    return null
  }

  /** Runs before anything is written. @throws MaintenanceError when the disk has too little space */
  private async assertFreeSpace(backup: BackupFiles): Promise<void> {
    const { db, file } = this.source
    const databaseBytes = file
      ? (file.pragma('page_count', { simple: true }) as number) * (file.pragma('page_size', { simple: true }) as number)
      : 0
    // The copy and, beside it for a while, the compressed copy.
    let requiredBytes = databaseBytes * 1.5 + BACKUP_FREE_MARGIN_BYTES
    const photos = photoStore(this.dataDir).isRemote ? [] : await listReferencedPhotos(db)
    await forEachConcurrently(photos, 16, async (name) => {
      const path = `photos/${name}`
      if (backup.isInPrevious(path)) return
      // Before it is added: `+= await` would add to the sum of before the wait.
      const bytes = (await files.fileSize(join(this.dataDir, path))) ?? 0
      requiredBytes += bytes
    })
    const freeBytes = await files.freeSpace(this.backupDir)
    if (freeBytes < requiredBytes)
      throw new MaintenanceError(
        `no queda sitio para la copia en ${this.backupDir}: hacen falta ${formatBytes(requiredBytes)} y quedan ${formatBytes(freeBytes)}.`,
      )
  }

  /**
   * Copies the database, then the photos that the copy references. If some were deleted in between, copies the database again.
   * @returns also the photos that are missing
   */
  private async copyDatabase(source: Database.Database, backup: BackupFiles, photos: BackupPhotos) {
    const file = join(this.folder, files.DATABASE_FILE)
    let missing: string[] = []
    for (let attempt = 1; ; attempt++) {
      await rm(file, { force: true })
      snapshotTo(source, file)
      const snapshot = openForMaintenance(file, { readonly: true })
      try {
        const referenced = await listReferencedPhotos(toKysely(snapshot))
        const missingBefore = missing
        missing = await photos.copyPhotos(referenced)
        // Photos missing after two snapshots were lost before the backup: the doctor reports them, and the backup continues.
        const isSameAsBefore = attempt > 1 && String(missing) === String(missingBefore)
        if (missing.length > 0 && attempt < MAX_SNAPSHOTS && !isSameAsBefore) continue
        const packed = await this.packDatabase(backup, snapshot, file)
        await photos.deleteUnreferencedPhotos(referenced)
        return { ...packed, missing }
      } finally {
        snapshot.close()
      }
    }
  }

  /** Copies the photos that were added since, and drops those that were deleted. @returns also the photos that are missing */
  private async copyNewPhotos(photos: BackupPhotos) {
    const referenced = await listReferencedPhotos(this.source.db)
    const missing = await photos.copyPhotos(referenced)
    await photos.deleteUnreferencedPhotos(referenced)
    return { contents: await readContents(this.source.db), database: null, missing }
  }

  /** Compresses the snapshot, and reads the compressed file again. @throws MaintenanceError when the snapshot is damaged */
  private async packDatabase(backup: BackupFiles, snapshot: Database.Database, file: string) {
    const faults = findIntegrityFaults(snapshot)
    if (faults.length > 0)
      throw new MaintenanceError(`la base de datos está dañada y no se copia: ${faults[0]} (mira npm run doctor).`)
    const contents = await readContents(toKysely(snapshot))
    const packed = join(this.folder, PACKED_DATABASE)
    const sha256 = await files.copyFile(file, packed, [createGzip({ level: 5 })])
    if ((await files.hashGunzipped(packed)) !== sha256)
      throw new MaintenanceError('la base de datos copiada no se lee igual que se escribió.')
    const bytes = (await files.fileSize(file)) ?? 0
    await rm(file)
    await backup.addWritten(PACKED_DATABASE, await files.hashFile(packed))
    return { contents, database: { bytes, sha256 } }
  }
}

/** The sums of the previous backup's photos in the bucket; none where it has them itself. */
const readBucketSums = (previous: PreviousBackup | null): Promise<Map<string, string>> =>
  previous?.sums.has(BUCKET_PHOTOS_FILE)
    ? readChecksums(previous.path, BUCKET_PHOTOS_FILE)
    : Promise.resolve(new Map<string, string>())

const addCounts = (a: BackupRecord['added'], b: BackupRecord['added']): BackupRecord['added'] => ({
  files: a.files + b.files,
  bytes: a.bytes + b.bytes,
})
