import { existsSync } from 'node:fs'
import { link, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createGzip } from 'node:zlib'
import type Database from 'better-sqlite3'
import { unknownMigration } from '#db/client.ts'
import { backupName, CareError, formatBytes, type Retention } from './care.ts'
import * as files from './files.server.ts'
import { LOCK, takeBackups } from './lock.server.ts'
import * as record from './record.server.ts'
import { toDrop } from './retention.ts'
import { faultsOf, holdingsOf, openForCare, otherPlace, photosNamed, snapshotTo } from './snapshot.server.ts'

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
const MARGIN = 64 * 1024 * 1024
/** Photos may be removed while they are being copied; then the database is asked again, so often. */
const TURNS = 3
/** Copies and reads at once: the disk is busy, the site's own reads still come through. */
const WIDTH = 4

/**
 * Makes a backup of the data as it stands, while the server goes on: every photo that the copied database names is in it.
 * Photos that the last backup has are linked, not copied. Every file is read again before the backup gets its name.
 * @throws CareError saying why there is none; nothing is left behind then
 */
export async function makeBackup({ dataDir, backupDir, now = Date.now() }: BackupOptions): Promise<Backup> {
  const file = join(dataDir, files.DATABASE)
  if (!(await files.isThere(file)))
    throw new CareError(`no hay base de datos en ${dataDir}: arranca antes el sitio, o di DATA_DIR.`)
  let release: (() => void) | null
  try {
    await mkdir(backupDir, { recursive: true, mode: 0o700 })
    release = takeBackups(backupDir)
  } catch (error) {
    const denied = files.permissionText(error, [backupDir, join(backupDir, LOCK)])
    throw new CareError(denied ? `${denied}.` : `no se puede escribir en ${backupDir}: ${files.reasonOf(error)}.`)
  }
  if (!release) throw new CareError('ya hay otra copia en marcha.')
  try {
    await sweepParts(backupDir)
    let time = now
    while (existsSync(join(backupDir, backupName(time)))) time += 1000
    const path = join(backupDir, backupName(time))
    const part = `${path}${record.PART}`
    const source = openForCare(file)
    try {
      const strange = unknownMigration(source)
      if (strange)
        throw new CareError(
          `la base de datos es de una versión más nueva del programa (${strange}): actualízalo antes de hacer copias.`,
        )
      const made = await new Work(dataDir, backupDir, part, source).run(time)
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
    if (error instanceof CareError) throw error
    const denied = files.permissionText(error, [...files.databasePaths(file), backupDir])
    throw new CareError(`la copia no se pudo hacer: ${denied ?? files.reasonOf(error)}.`)
  } finally {
    release()
  }
}

/** Takes away the backups that `keep` does not want. @returns their names */
export async function dropBackups(backupDir: string, keep: Retention): Promise<string[]> {
  const names = toDrop(await record.listBackups(backupDir), keep)
  for (const name of names) {
    // Named as unfinished first: one half deleted must not be taken for a backup.
    const going = join(backupDir, `${name}${record.PART}`)
    await rename(join(backupDir, name), going)
    await rm(going, { recursive: true, force: true })
  }
  return names
}

/** What a crash or a full disk left of earlier attempts; called by whoever holds the lock. */
async function sweepParts(backupDir: string): Promise<void> {
  for (const name of await readdir(backupDir))
    if (name.endsWith(record.PART)) await rm(join(backupDir, name), { recursive: true, force: true })
}

/** One backup being made in `part`. */
class Work {
  /** The last backup, whose files are linked; null when there is none that can be read. */
  private before: { path: string; sums: ReadonlyMap<string, string> } | null = null
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
    this.before = await this.lastBackup()
    await this.checkRoom()
    await mkdir(join(this.part, 'photos'), { recursive: true, mode: 0o700 })
    // Photos go into the backup before the database, so that those removed meanwhile are mostly there; what the
    // copied database names besides, new uploads, comes after it.
    await this.keepPhotos(photosNamed(this.source))
    const { copy, missing } = await this.keepDatabase()
    for (const name of ['razas', 'push-keys.json', 'dogs-geo.json']) await this.keepOther(name)
    await this.verify()
    const { holdings, database } = copy
    let bytes = 0
    for (const path of this.sums.keys()) bytes += (await files.sizeOf(join(this.part, path))) ?? 0
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
      const sums = await record.readSums(path).catch(() => null)
      if (sums) return { path, sums }
    }
    return null
  }

  /** Refuses before anything is written when the disk has not enough left. */
  private async checkRoom(): Promise<void> {
    const pages = this.source.pragma('page_count', { simple: true }) as number
    const size = this.source.pragma('page_size', { simple: true }) as number
    // The copy and, beside it for a while, the same packed.
    let wanted = pages * size * 1.5 + MARGIN
    await files.inParallel(photosNamed(this.source), 16, async (name) => {
      if (!this.before?.sums.has(`photos/${name}`))
        wanted += (await files.sizeOf(join(this.dataDir, 'photos', name))) ?? 0
    })
    const free = await files.freeSpace(this.backupDir)
    if (free < wanted)
      throw new CareError(
        `no queda sitio para la copia en ${this.backupDir}: hacen falta ${formatBytes(wanted)} y quedan ${formatBytes(free)}.`,
      )
  }

  /** @returns the photos that are nowhere */
  private async keepPhotos(names: Iterable<string>): Promise<string[]> {
    const missing: string[] = []
    await files.inParallel(names, WIDTH, async (name) => {
      const path = `photos/${name}`
      if (this.sums.has(path)) return
      const from = (await files.sizeOf(join(this.dataDir, path))) ? path : `photos/${otherPlace(name)}`
      const size = await files.sizeOf(join(this.dataDir, from))
      // A photo's content never changes under its name, so the last backup's is the same one.
      if (size && size === (await this.sizeBefore(path)) && (await this.linkBefore(path))) return
      if (!size || !(await this.copy(path, from))) missing.push(name)
    })
    return missing.toSorted()
  }

  private async sizeBefore(path: string): Promise<number | null> {
    return this.before?.sums.has(path) ? files.sizeOf(join(this.before.path, path)) : null
  }

  /** False where the file system links nothing (or no more): then it is copied. */
  private async linkBefore(path: string): Promise<boolean> {
    const { path: folder, sums } = this.before!
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
    this.added.bytes += (await files.sizeOf(to)) ?? 0
    return true
  }

  /** Copies the database, then what it names besides; where that was removed in between, the database once more. */
  private async keepDatabase() {
    const file = join(this.part, files.DATABASE)
    let missing: string[] = []
    let copy: Awaited<ReturnType<Work['packDatabase']>>
    for (let turn = 1; ; turn++) {
      await rm(file, { force: true })
      snapshotTo(this.source, file)
      const sqlite = openForCare(file, { readonly: true })
      try {
        const named = photosNamed(sqlite)
        const before = missing
        missing = await this.keepPhotos(named)
        // Those that two looks in a row did not find were lost before: the doctor's work, and no reason to have no backup.
        if (missing.length > 0 && turn < TURNS && (turn === 1 || String(missing) !== String(before))) continue
        copy = await this.packDatabase(sqlite, file)
        await this.dropOthers(named)
        return { copy, missing }
      } finally {
        sqlite.close()
      }
    }
  }

  private async packDatabase(sqlite: Database.Database, file: string) {
    const faults = faultsOf(sqlite)
    if (faults.length > 0)
      throw new CareError(`la base de datos está dañada y no se copia: ${faults[0]} (mira npm run doctor).`)
    const holdings = holdingsOf(sqlite)
    const packed = join(this.part, record.PACKED)
    const sha256 = await files.copyFile(file, packed, [createGzip({ level: 5 })])
    if ((await files.hashUnpacked(packed)) !== sha256)
      throw new CareError('la base de datos copiada no se lee igual que se escribió.')
    const bytes = (await files.sizeOf(file)) ?? 0
    await rm(file)
    this.sums.set(record.PACKED, await files.hashFile(packed))
    this.added.files++
    this.added.bytes += (await files.sizeOf(packed)) ?? 0
    return { holdings, database: { bytes, sha256 } }
  }

  /** Photos of dogs that went while the backup was made leave it, too: what members delete is to be gone. */
  private async dropOthers(named: ReadonlySet<string>): Promise<void> {
    for (const path of this.sums.keys()) {
      if (!path.startsWith('photos/') || named.has(path.slice('photos/'.length))) continue
      await rm(join(this.part, path))
      this.sums.delete(path)
    }
  }

  /** A file or folder whose content may change under its name. */
  private async keepOther(name: string): Promise<void> {
    const found = (await files.sizeOf(join(this.dataDir, name))) !== null
    const paths = found ? [name] : []
    if (!found) for await (const path of files.walk(join(this.dataDir, name))) paths.push(`${name}/${path}`)
    for (const path of paths) {
      await mkdir(dirname(join(this.part, path)), { recursive: true, mode: 0o700 })
      const known = this.before?.sums.get(path)
      const same = known && known === (await files.hashFile(join(this.dataDir, path)).catch(() => null))
      if (!(same && (await this.linkBefore(path)))) await this.copy(path)
    }
  }

  /** Reads everything again. What rotted in the last backup is copied anew from the data. */
  private async verify(): Promise<void> {
    const bad = await record.damagedFiles(this.part, this.sums)
    for (const path of bad) {
      if (!this.linked.has(path)) throw new CareError(`${path} no se lee igual que se escribió: revisa el disco.`)
      await rm(join(this.part, path), { force: true })
      if (!(await this.copy(path)))
        throw new CareError(`${path} está dañado en la copia anterior y ya no está en los datos: repite la copia.`)
    }
    const again = new Map(bad.map((path) => [path, this.sums.get(path)!]))
    if ((await record.damagedFiles(this.part, again)).length > 0)
      throw new CareError('lo copiado no se lee igual que se escribió: revisa el disco.')
  }
}
