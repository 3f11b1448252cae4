import { existsSync } from 'node:fs'
import { link, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createGzip } from 'node:zlib'
import type Database from 'better-sqlite3'
import { findUnknownMigration } from '#db/client.ts'
import { backupName, MaintenanceError, formatBytes, type BackupRetention } from './maintenance.ts'
import * as files from './files.server.ts'
import { LOCK, lockBackups } from './lock.server.ts'
import * as record from './backup-record.server.ts'
import { selectExpiredBackups } from './backup-policy.ts'
import {
  findIntegrityFaults,
  readContents,
  openForMaintenance,
  otherPhotoPath,
  listReferencedPhotos,
  snapshotTo,
} from './database-contents.server.ts'

export interface BackupOptions {
  dataDir: string
  backupDir: string
  now?: number
}

export interface Backup extends record.BackupRecord {
  name: string
  path: string
}

/** The disk keeps at least this much beside the backup, bytes: a full one would stop the site. */
const FREE_MARGIN_BYTES = 64 * 1024 * 1024
/** Photos may be removed while they are being copied; then the database is asked again, so often. */
const SNAPSHOT_TRIES = 3
/** Copies and reads at once: the disk is busy, the site's own reads still come through. */
const COPY_CONCURRENCY = 4

/**
 * Makes a backup of the data as it stands, while the server goes on: every photo that the copied database names is in it.
 * Photos that the last backup has are linked, not copied. Every file is read again before the backup gets its name.
 * @throws MaintenanceError saying why there is none; nothing is left behind then
 */
export async function makeBackup({ dataDir, backupDir, now = Date.now() }: BackupOptions): Promise<Backup> {
  const file = join(dataDir, files.DATABASE_FILE)
  if (!(await files.isThere(file)))
    throw new MaintenanceError(`no hay base de datos en ${dataDir}: arranca antes el sitio, o di DATA_DIR.`)
  let release: (() => void) | null
  try {
    await mkdir(backupDir, { recursive: true, mode: 0o700 })
    release = lockBackups(backupDir)
  } catch (error) {
    const denied = files.permissionText(error, [backupDir, join(backupDir, LOCK)])
    throw new MaintenanceError(
      denied ? `${denied}.` : `no se puede escribir en ${backupDir}: ${files.explainError(error)}.`,
    )
  }
  if (!release) throw new MaintenanceError('ya hay otra copia en marcha.')
  try {
    await deleteUnfinishedBackups(backupDir)
    let time = now
    while (existsSync(join(backupDir, backupName(time)))) time += 1000
    const path = join(backupDir, backupName(time))
    const part = `${path}${record.UNFINISHED_SUFFIX}`
    const source = openForMaintenance(file)
    try {
      const strange = findUnknownMigration(source)
      if (strange)
        throw new MaintenanceError(
          `la base de datos es de una versión más nueva del programa (${strange}): actualízalo antes de hacer copias.`,
        )
      const made = await new BackupRun(dataDir, backupDir, part, source).run(time)
      await rename(part, path)
      await files.syncFolder(backupDir)
      return { ...made, name: backupName(time), path }
    } catch (error) {
      await rm(part, { recursive: true, force: true })
      throw error
    } finally {
      source.close()
    }
  } catch (error) {
    if (error instanceof MaintenanceError) throw error
    const denied = files.permissionText(error, [...files.databasePaths(file), backupDir])
    throw new MaintenanceError(`la copia no se pudo hacer: ${denied ?? files.explainError(error)}.`)
  } finally {
    release()
  }
}

/** Takes away the backups that `keep` does not want. @returns their names */
export async function deleteExpiredBackups(backupDir: string, keep: BackupRetention): Promise<string[]> {
  const names = selectExpiredBackups(await record.listBackups(backupDir), keep)
  for (const name of names) {
    // Named as unfinished first: one half deleted must not be taken for a backup.
    const going = join(backupDir, `${name}${record.UNFINISHED_SUFFIX}`)
    await rename(join(backupDir, name), going)
    await rm(going, { recursive: true, force: true })
  }
  return names
}

/** What a crash or a full disk left of earlier attempts; called by whoever holds the lock. */
async function deleteUnfinishedBackups(backupDir: string): Promise<void> {
  for (const name of await readdir(backupDir))
    if (name.endsWith(record.UNFINISHED_SUFFIX)) await rm(join(backupDir, name), { recursive: true, force: true })
}

/** One backup being made in `part`. */
class BackupRun {
  /** The last backup, whose files are linked; null when there is none that can be read. */
  private previous: { path: string; sums: ReadonlyMap<string, string> } | null = null
  private readonly sums = new Map<string, string>()
  private readonly linked = new Set<string>()
  private readonly added = { files: 0, bytes: 0 }

  private readonly dataDir: string
  private readonly backupDir: string
  private readonly part: string
  private readonly source: Database.Database

  constructor(dataDir: string, backupDir: string, part: string, source: Database.Database) {
    this.dataDir = dataDir
    this.backupDir = backupDir
    this.part = part
    this.source = source
  }

  async run(time: number): Promise<record.BackupRecord> {
    this.previous = await this.lastBackup()
    await this.assertFreeSpace()
    await mkdir(join(this.part, 'photos'), { recursive: true, mode: 0o700 })
    // Photos go into the backup before the database, so that those removed meanwhile are mostly there; what the
    // copied database names besides, new uploads, comes after it.
    await this.copyPhotos(listReferencedPhotos(this.source))
    const { copy, missing } = await this.copyDatabase()
    for (const name of ['razas', 'push-keys.json', 'dogs-geo.json']) await this.copyOther(name)
    await this.verify()
    const { holdings, database } = copy
    let bytes = 0
    for (const path of this.sums.keys()) bytes += (await files.fileSize(join(this.part, path))) ?? 0
    return record.writeRecord(this.part, this.sums, {
      created_at: time,
      ...holdings,
      database,
      files: this.sums.size,
      bytes,
      added: this.added,
      missing,
    })
  }

  private async lastBackup() {
    for (const name of (await record.listBackups(this.backupDir)).toReversed()) {
      const path = join(this.backupDir, name)
      const sums = await record.readChecksums(path).catch(() => null)
      if (sums) return { path, sums }
    }
    return null
  }

  /** Refuses before anything is written when the disk has not enough left. */
  private async assertFreeSpace(): Promise<void> {
    const pages = this.source.pragma('page_count', { simple: true }) as number
    const size = this.source.pragma('page_size', { simple: true }) as number
    // The copy and, beside it for a while, the same packed.
    let wanted = pages * size * 1.5 + FREE_MARGIN_BYTES
    await files.forEachConcurrently(listReferencedPhotos(this.source), 16, async (name) => {
      if (!this.previous?.sums.has(`photos/${name}`))
        wanted += (await files.fileSize(join(this.dataDir, 'photos', name))) ?? 0
    })
    const free = await files.freeSpace(this.backupDir)
    if (free < wanted)
      throw new MaintenanceError(
        `no queda sitio para la copia en ${this.backupDir}: hacen falta ${formatBytes(wanted)} y quedan ${formatBytes(free)}.`,
      )
  }

  /** @returns the photos that are nowhere */
  private async copyPhotos(names: Iterable<string>): Promise<string[]> {
    const missing: string[] = []
    await files.forEachConcurrently(names, COPY_CONCURRENCY, async (name) => {
      const path = `photos/${name}`
      if (this.sums.has(path)) return
      const from = (await files.fileSize(join(this.dataDir, path))) ? path : `photos/${otherPhotoPath(name)}`
      const size = await files.fileSize(join(this.dataDir, from))
      // A photo's content never changes under its name, so the last backup's is the same one.
      if (size && size === (await this.previousSize(path)) && (await this.linkFromPrevious(path))) return
      if (!size || !(await this.copy(path, from))) missing.push(name)
    })
    return missing.toSorted()
  }

  private async previousSize(path: string): Promise<number | null> {
    return this.previous?.sums.has(path) ? files.fileSize(join(this.previous.path, path)) : null
  }

  /** False where the file system links nothing (or no more): then it is copied. */
  private async linkFromPrevious(path: string): Promise<boolean> {
    const { path: folder, sums } = this.previous!
    try {
      await mkdir(dirname(join(this.part, path)), { recursive: true, mode: 0o700 })
      await link(join(folder, path), join(this.part, path))
    } catch {
      return false
    }
    this.sums.set(path, sums.get(path)!)
    this.linked.add(path)
    return true
  }

  /** False when the file is gone. */
  private async copy(path: string, from = path): Promise<boolean> {
    const to = join(this.part, path)
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    try {
      this.sums.set(path, await files.copyFile(join(this.dataDir, from), to))
    } catch (error) {
      await rm(to, { force: true })
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
    this.added.files++
    this.added.bytes += (await files.fileSize(to)) ?? 0
    return true
  }

  /** Copies the database, then what it names besides; where that was removed in between, the database once more. */
  private async copyDatabase() {
    const file = join(this.part, files.DATABASE_FILE)
    let missing: string[] = []
    let copy: Awaited<ReturnType<BackupRun['packDatabase']>>
    for (let turn = 1; ; turn++) {
      await rm(file, { force: true })
      snapshotTo(this.source, file)
      const sqlite = openForMaintenance(file, { readonly: true })
      try {
        const named = listReferencedPhotos(sqlite)
        const before = missing
        missing = await this.copyPhotos(named)
        // Those that two looks in a row did not find were lost before: the doctor's work, and no reason to have no backup.
        if (missing.length > 0 && turn < SNAPSHOT_TRIES && (turn === 1 || String(missing) !== String(before))) continue
        copy = await this.packDatabase(sqlite, file)
        await this.deleteUnreferencedPhotos(named)
        return { copy, missing }
      } finally {
        sqlite.close()
      }
    }
  }

  private async packDatabase(sqlite: Database.Database, file: string) {
    const faults = findIntegrityFaults(sqlite)
    if (faults.length > 0)
      throw new MaintenanceError(`la base de datos está dañada y no se copia: ${faults[0]} (mira npm run doctor).`)
    const holdings = readContents(sqlite)
    const packed = join(this.part, record.PACKED_DATABASE)
    const sha256 = await files.copyFile(file, packed, [createGzip({ level: 5 })])
    if ((await files.hashGunzipped(packed)) !== sha256)
      throw new MaintenanceError('la base de datos copiada no se lee igual que se escribió.')
    const bytes = (await files.fileSize(file)) ?? 0
    await rm(file)
    this.sums.set(record.PACKED_DATABASE, await files.hashFile(packed))
    this.added.files++
    this.added.bytes += (await files.fileSize(packed)) ?? 0
    return { holdings, database: { bytes, sha256 } }
  }

  /** Photos of dogs that went while the backup was made leave it, too: what members delete is to be gone. */
  private async deleteUnreferencedPhotos(named: ReadonlySet<string>): Promise<void> {
    for (const path of this.sums.keys()) {
      if (!path.startsWith('photos/') || named.has(path.slice('photos/'.length))) continue
      await rm(join(this.part, path))
      this.sums.delete(path)
    }
  }

  /** A file or folder whose content may change under its name. */
  private async copyOther(name: string): Promise<void> {
    const found = (await files.fileSize(join(this.dataDir, name))) !== null
    const paths = found ? [name] : []
    if (!found) for await (const path of files.walkFiles(join(this.dataDir, name))) paths.push(`${name}/${path}`)
    for (const path of paths) {
      await mkdir(dirname(join(this.part, path)), { recursive: true, mode: 0o700 })
      const known = this.previous?.sums.get(path)
      const same = known && known === (await files.hashFile(join(this.dataDir, path)).catch(() => null))
      if (!(same && (await this.linkFromPrevious(path)))) await this.copy(path)
    }
  }

  /** Reads everything again. What rotted in the last backup is copied anew from the data. */
  private async verify(): Promise<void> {
    const bad = await record.findDamagedFiles(this.part, this.sums)
    for (const path of bad) {
      if (!this.linked.has(path))
        throw new MaintenanceError(`${path} no se lee igual que se escribió: revisa el disco.`)
      await rm(join(this.part, path), { force: true })
      if (!(await this.copy(path)))
        throw new MaintenanceError(
          `${path} está dañado en la copia anterior y ya no está en los datos: repite la copia.`,
        )
    }
    const again = new Map(bad.map((path) => [path, this.sums.get(path)!]))
    if ((await record.findDamagedFiles(this.part, again)).length > 0)
      throw new MaintenanceError('lo copiado no se lee igual que se escribió: revisa el disco.')
  }
}
