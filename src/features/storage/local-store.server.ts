import { constants, existsSync } from 'node:fs'
import { copyFile, link, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { errorCode } from '#lib/error-code.ts'
import { deleteStaleParts, fileSize, ifAbsent, isBlank, writeFileAtomically, makeFolder } from './files.server.ts'
import type { PhotoStore, StoredFile } from './photo-store.server.ts'

const isFileMissing = (error: unknown) => errorCode(error) === 'ENOENT'

/** The photos in DATA_DIR: a key is a path under it. */
export class LocalPhotoStore implements PhotoStore {
  readonly isRemote = false
  readonly #dataDir: string

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  #path(key: string): string {
    return join(this.#dataDir, key)
  }

  assertAvailable(): void {}

  async put(key: string, data: Uint8Array): Promise<void> {
    const file = this.#path(key)
    await deleteStaleParts(dirname(file))
    await writeFileAtomically(file, data, { durable: true })
  }

  get(key: string): Promise<Buffer | null> {
    return readFile(this.#path(key)).catch(ifAbsent(null))
  }

  async stream(key: string): Promise<Readable | null> {
    // The handle first: a stream that fails to open before it has a listener would end the process.
    const handle = await open(this.#path(key)).catch(ifAbsent(null))
    return handle ? handle.createReadStream({ highWaterMark: 256 * 1024 }) : null
  }

  size(key: string): Promise<number | null> {
    return fileSize(this.#path(key))
  }

  isBlank(key: string): Promise<boolean> {
    return isBlank(this.#path(key))
  }

  async delete(...keys: string[]): Promise<void> {
    for (const key of keys) await rm(this.#path(key), { force: true })
  }

  async move(from: string, to: string): Promise<boolean> {
    const [file, target] = [this.#path(from), this.#path(to)]
    if (existsSync(file)) await makeFolder(dirname(target), 0o700)
    try {
      await rename(file, target)
      // Where both are hard links to one file, rename leaves both.
      await rm(file, { force: true })
      return true
    } catch (error) {
      if (isFileMissing(error)) return false
      throw error
    }
  }

  async copy(from: string, to: string): Promise<boolean> {
    const [file, target] = [this.#path(from), this.#path(to)]
    try {
      // Some file systems have no hard links.
      await link(file, target).catch((error: unknown) => {
        if (isFileMissing(error)) throw error
        return copyFile(file, target, constants.COPYFILE_EXCL)
      })
      return true
    } catch (error) {
      if (isFileMissing(error)) return false
      throw error
    }
  }

  async *list(prefix: string): AsyncGenerator<StoredFile> {
    for (const entry of await readdir(this.#path(prefix), { withFileTypes: true }).catch(ifAbsent([]))) {
      if (entry.isDirectory()) {
        yield* this.list(`${prefix}${entry.name}/`)
        continue
      }
      const key = prefix + entry.name
      // Null where it was deleted meanwhile.
      const info = await stat(this.#path(key)).catch(ifAbsent(null))
      if (info?.isFile()) yield { key, bytes: info.size, modifiedAt: info.mtimeMs }
    }
  }
}
