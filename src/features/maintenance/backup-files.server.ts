import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PhotoStore } from '#features/storage/photo-store.server.ts'
import { hashBytes } from './backup-bucket.server.ts'
import { MaintenanceError } from './maintenance.ts'
import * as files from './files.server.ts'
import { forEachConcurrently } from '#lib/concurrency.ts'
import { findDamagedFiles } from './backup-record.server.ts'
import { otherPhotoPath } from './database-contents.server.ts'
import { errorCode } from '#lib/error-code.ts'

/** Files copied at the same time: few enough that the site's own reads are not starved. */
const COPY_CONCURRENCY = 4

/** A finished backup whose unchanged files the next one links. */
export interface PreviousBackup {
  path: string
  /** sha256 by path. */
  sums: ReadonlyMap<string, string>
}

/** The files of one unfinished backup: copied from the data, or linked from the previous backup. */
export class BackupFiles {
  /** sha256 of every file in the backup, by path. */
  readonly sums = new Map<string, string>()
  /** The files that this backup does not share with the previous one. */
  readonly added = { files: 0, bytes: 0 }
  private readonly linked = new Set<string>()

  private readonly dataDir: string
  private readonly folder: string
  private readonly previous: PreviousBackup | null

  /** @param folder the unfinished backup's own folder */
  constructor(dataDir: string, folder: string, previous: PreviousBackup | null) {
    this.dataDir = dataDir
    this.folder = folder
    this.previous = previous
  }

  isInPrevious(path: string): boolean {
    return this.previous?.sums.has(path) === true
  }

  /** Registers a file that the caller has written to the backup. */
  async addWritten(path: string, sum: string): Promise<void> {
    this.sums.set(path, sum)
    this.added.files++
    // Read first: files are copied at the same time, and `+= await` would add to the sum of before the wait.
    const bytes = (await files.fileSize(join(this.folder, path))) ?? 0
    this.added.bytes += bytes
  }

  /** Copies or links photos, by their paths under `photos/`. @returns the paths of those that are missing, sorted */
  async copyPhotos(names: Iterable<string>): Promise<string[]> {
    const missing: string[] = []
    await forEachConcurrently(names, COPY_CONCURRENCY, async (name) => {
      const path = `photos/${name}`
      if (this.sums.has(path)) return
      const from = (await files.fileSize(join(this.dataDir, path))) ? path : `photos/${otherPhotoPath(name)}`
      const size = await files.fileSize(join(this.dataDir, from))
      // A photo's content never changes under its name, so the previous backup has the same content.
      if (size && size === (await this.previousSize(path)) && (await this.linkFromPrevious(path))) return
      if (!size || !(await this.copy(path, from))) missing.push(name)
    })
    return missing.toSorted()
  }

  /** Copies or links a file, or all files of a folder, whose content may change under its name. Skips one that does not exist. */
  async copyMutable(name: string): Promise<void> {
    const isFile = (await files.fileSize(join(this.dataDir, name))) !== null
    const paths = isFile ? [name] : []
    if (!isFile) for await (const path of files.walkFiles(join(this.dataDir, name))) paths.push(`${name}/${path}`)
    for (const path of paths) {
      await mkdir(dirname(join(this.folder, path)), { recursive: true, mode: 0o700 })
      const previousSum = this.previous?.sums.get(path)
      const isUnchanged =
        previousSum && previousSum === (await files.hashFile(join(this.dataDir, path)).catch(() => null))
      if (!(isUnchanged && (await this.linkFromPrevious(path)))) await this.copy(path)
    }
  }

  /** Copies or links all files of a store's folder, whose content may change under their name. */
  async copyFolderOf(store: PhotoStore, prefix: string): Promise<void> {
    for await (const { key } of store.list(prefix)) {
      const content = await store.get(key)
      if (!content) continue
      await mkdir(dirname(join(this.folder, key)), { recursive: true, mode: 0o700 })
      const sum = hashBytes(content)
      const isUnchanged =
        this.previous?.sums.get(key) === sum &&
        (await files.hashFile(join(this.previous.path, key)).catch(() => null)) === sum
      if (isUnchanged && (await this.linkFromPrevious(key))) continue
      await this.write(key, content)
    }
  }

  /** Writes a file that the backup makes itself. */
  async write(path: string, content: Uint8Array): Promise<void> {
    await writeFile(join(this.folder, path), content, { mode: 0o600, flush: true })
    await this.addWritten(path, hashBytes(content))
  }

  /** Deletes photos of dogs that were deleted during the backup: what members delete must not stay in it. */
  async deleteUnreferencedPhotos(referenced: ReadonlySet<string>): Promise<void> {
    for (const path of this.sums.keys()) {
      if (!path.startsWith('photos/') || referenced.has(path.slice('photos/'.length))) continue
      await rm(join(this.folder, path))
      this.sums.delete(path)
    }
  }

  /**
   * Reads every file again. A linked file that is damaged in the previous backup is copied from the data instead.
   * @throws MaintenanceError for a file that differs from what was written
   */
  async verify(): Promise<void> {
    const damaged = await findDamagedFiles(this.folder, this.sums)
    for (const path of damaged) {
      if (!this.linked.has(path))
        throw new MaintenanceError(`${path} no se lee igual que se escribió: revisa el disco.`)
      await rm(join(this.folder, path), { force: true })
      if (!(await this.copy(path)))
        throw new MaintenanceError(
          `${path} está dañado en la copia anterior y ya no está en los datos: repite la copia.`,
        )
    }
    const copiedAgain = new Map(damaged.map((path) => [path, this.sums.get(path)!]))
    if ((await findDamagedFiles(this.folder, copiedAgain)).length > 0)
      throw new MaintenanceError('lo copiado no se lee igual que se escribió: revisa el disco.')
  }

  private async previousSize(path: string): Promise<number | null> {
    return this.previous && this.isInPrevious(path) ? files.fileSize(join(this.previous.path, path)) : null
  }

  /** @returns false where the file system cannot link the file */
  private async linkFromPrevious(path: string): Promise<boolean> {
    const sum = this.previous?.sums.get(path)
    if (!this.previous || sum === undefined) return false
    try {
      await mkdir(dirname(join(this.folder, path)), { recursive: true, mode: 0o700 })
      await link(join(this.previous.path, path), join(this.folder, path))
    } catch {
      return false
    }
    this.sums.set(path, sum)
    this.linked.add(path)
    return true
  }

  /** Copies a file of the data, `from` where it is under another path there. @returns false when it does not exist any more */
  private async copy(path: string, from = path): Promise<boolean> {
    const target = join(this.folder, path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    let sum: string
    try {
      sum = await files.copyFile(join(this.dataDir, from), target)
    } catch (error) {
      await rm(target, { force: true })
      if (errorCode(error) === 'ENOENT') return false
      throw error
    }
    await this.addWritten(path, sum)
    return true
  }
}
