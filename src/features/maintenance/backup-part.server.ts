import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PhotoStore } from '#features/storage/photo-store.server.ts'
import { fileSize, hashBytes, hashFile } from './files.server.ts'
import { MaintenanceError } from './maintenance.ts'

/** Where the copies of a backup's files are: in its own folder, or beside the photos in the bucket. */
export interface BackupTarget {
  /** Takes over the copy of an earlier backup. @returns false where it has none, or a damaged one */
  reuse: (path: string, sum: string, bytes: number) => Promise<boolean>
  /** @returns what is read afterwards */
  write: (path: string, content: Uint8Array) => Promise<Uint8Array | null>
  remove: (path: string) => Promise<void>
}

/** @param folder the unfinished backup's own @param previous the one whose unchanged files are linked */
export const folderTarget = (folder: string, previous: string | null): BackupTarget => ({
  async reuse(path, sum, bytes) {
    if (previous === null) return false
    const [from, to] = [join(previous, path), join(folder, path)]
    if ((await fileSize(from)) !== bytes || (await hashFile(from).catch(() => null)) !== sum) return false
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    // Some file systems have no hard links.
    return link(from, to).then(
      () => true,
      () => false,
    )
  },
  async write(path, content) {
    await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
    await writeFile(join(folder, path), content, { mode: 0o600, flush: true })
    return readFile(join(folder, path))
  },
  remove: (path) => rm(join(folder, path)),
})

/** The key of a photo's copy in the bucket, by its path in a backup. All backups that have the photo share it. */
export const poolKey = (path: string): string => `backups/${path}`

/** @param copies the sizes of the copies in the bucket, by key: the service guards what it has, so that nobody reads them again */
export const bucketTarget = (store: PhotoStore, copies: ReadonlyMap<string, number>): BackupTarget => ({
  reuse: async (path, _sum, bytes) => copies.get(poolKey(path)) === bytes,
  async write(path, content) {
    await store.put(poolKey(path), content)
    return store.get(poolKey(path))
  },
  async remove(path) {
    // One of an earlier backup goes when no list names it.
    if (!copies.has(poolKey(path))) await store.delete(poolKey(path))
  },
})

/** The files of one unfinished backup: taken over from the previous one, or written and read again at once. */
export class BackupPart {
  readonly #files = new Map<string, { sum: string; bytes: number }>()
  /** The files that this backup does not share with the previous one. */
  readonly added = { files: 0, bytes: 0 }
  readonly #target: BackupTarget
  readonly #previousSums: ReadonlyMap<string, string>

  /** @param previousSums the sha256 of the previous backup's files, by path */
  constructor(target: BackupTarget, previousSums: ReadonlyMap<string, string>) {
    this.#target = target
    this.#previousSums = previousSums
  }

  /** The sha256 of every file, by path. */
  get sums(): Map<string, string> {
    return new Map([...this.#files].map(([path, { sum }]) => [path, sum]))
  }

  /** Number of files and their size. */
  get size(): { files: number; bytes: number } {
    return { files: this.#files.size, bytes: [...this.#files.values()].reduce((sum, { bytes }) => sum + bytes, 0) }
  }

  has(path: string): boolean {
    return this.#files.has(path)
  }

  /** Takes a file over whose content cannot have changed where its size has not. @returns false where the previous backup has none */
  async reuse(path: string, bytes: number): Promise<boolean> {
    const sum = this.#previousSums.get(path)
    if (sum === undefined || !(await this.#target.reuse(path, sum, bytes))) return false
    this.#files.set(path, { sum, bytes })
    return true
  }

  /** @throws MaintenanceError where the copy is not read as it was written */
  async add(path: string, content: Uint8Array): Promise<void> {
    const sum = hashBytes(content)
    if (this.#previousSums.get(path) === sum && (await this.reuse(path, content.length))) return
    const copy = await this.#target.write(path, content)
    if (copy === null || hashBytes(copy) !== sum)
      throw new MaintenanceError(`${path} no se lee igual que se escribió: revisa dónde se guarda y repite la copia.`)
    this.addWritten(path, sum, content.length)
  }

  /** Adds a file that its target has already. */
  addWritten(path: string, sum: string, bytes: number): void {
    this.#files.set(path, { sum, bytes })
    this.added.files++
    this.added.bytes += bytes
  }

  /** Removes the photos that no row references any more: what members delete must not stay in a backup. @param names below `photos/` */
  async retainPhotos(names: ReadonlySet<string>): Promise<void> {
    for (const path of this.#files.keys()) {
      if (!path.startsWith('photos/') || names.has(path.slice('photos/'.length))) continue
      await this.#target.remove(path)
      this.#files.delete(path)
    }
  }
}
