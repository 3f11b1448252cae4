import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import type Database from 'better-sqlite3'
import { MaintenanceError, formatBytes } from './maintenance.ts'
import { forEachConcurrently } from '#lib/concurrency.ts'
import * as files from './files.server.ts'
import { BackupFiles } from './backup-files.server.ts'
import { type BackupRecord, listBackups, PACKED_DATABASE, readChecksums, writeRecord } from './backup-record.server.ts'
import {
  findIntegrityFaults,
  readContents,
  openForMaintenance,
  listReferencedPhotos,
  snapshotTo,
} from './database-contents.server.ts'

/** Free space that a backup leaves on the disk, bytes: a full disk would stop the site. */
const FREE_MARGIN_BYTES = 64 * 1024 * 1024
/** Photos may be deleted while they are copied; then the database is copied again, up to this often. */
const MAX_SNAPSHOTS = 3
/** Files whose content may change under their name, besides the database. */
const MUTABLE_FILES = ['razas', 'push-keys.json', 'dogs-geo.json'] as const

/** One backup in the making. */
export class BackupRun {
  private readonly dataDir: string
  private readonly backupDir: string
  private readonly folder: string
  private readonly source: Database.Database

  /**
   * @param folder the unfinished backup's own folder
   * @param source the data's database, open
   */
  constructor(dataDir: string, backupDir: string, folder: string, source: Database.Database) {
    this.dataDir = dataDir
    this.backupDir = backupDir
    this.folder = folder
    this.source = source
  }

  /** @throws MaintenanceError with the reason why there is no backup */
  async run(time: number): Promise<BackupRecord> {
    const backup = new BackupFiles(this.dataDir, this.folder, await this.findPreviousBackup())
    await this.assertFreeSpace(backup)
    await mkdir(join(this.folder, 'photos'), { recursive: true, mode: 0o700 })
    // Photos are copied before the database, so that most of those deleted meanwhile are in the backup, and again after it,
    // for the new uploads that the copied database references.
    await backup.copyPhotos(listReferencedPhotos(this.source))
    const { contents, database, missing } = await this.copyDatabase(backup)
    for (const name of MUTABLE_FILES) await backup.copyMutable(name)
    await backup.verify()
    let bytes = 0
    for (const path of backup.sums.keys()) bytes += (await files.fileSize(join(this.folder, path))) ?? 0
    return writeRecord(this.folder, backup.sums, {
      created_at: time,
      ...contents,
      database,
      files: backup.sums.size,
      bytes,
      added: backup.added,
      missing,
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
    const pages = this.source.pragma('page_count', { simple: true }) as number
    const pageBytes = this.source.pragma('page_size', { simple: true }) as number
    // The copy and, beside it for a while, the compressed copy.
    let requiredBytes = pages * pageBytes * 1.5 + FREE_MARGIN_BYTES
    await forEachConcurrently(listReferencedPhotos(this.source), 16, async (name) => {
      const path = `photos/${name}`
      if (!backup.isInPrevious(path)) requiredBytes += (await files.fileSize(join(this.dataDir, path))) ?? 0
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
  private async copyDatabase(backup: BackupFiles) {
    const file = join(this.folder, files.DATABASE_FILE)
    let missing: string[] = []
    for (let attempt = 1; ; attempt++) {
      await rm(file, { force: true })
      snapshotTo(this.source, file)
      const snapshot = openForMaintenance(file, { readonly: true })
      try {
        const referenced = listReferencedPhotos(snapshot)
        const missingBefore = missing
        missing = await backup.copyPhotos(referenced)
        // Photos missing after two snapshots were lost before the backup: the doctor reports them, and the backup continues.
        const isSameAsBefore = attempt > 1 && String(missing) === String(missingBefore)
        if (missing.length > 0 && attempt < MAX_SNAPSHOTS && !isSameAsBefore) continue
        const packed = await this.packDatabase(backup, snapshot, file)
        await backup.deleteUnreferencedPhotos(referenced)
        return { ...packed, missing }
      } finally {
        snapshot.close()
      }
    }
  }

  /** Compresses the snapshot, and reads the compressed file again. @throws MaintenanceError when the snapshot is damaged */
  private async packDatabase(backup: BackupFiles, snapshot: Database.Database, file: string) {
    const faults = findIntegrityFaults(snapshot)
    if (faults.length > 0)
      throw new MaintenanceError(`la base de datos está dañada y no se copia: ${faults[0]} (mira npm run doctor).`)
    const contents = readContents(snapshot)
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
