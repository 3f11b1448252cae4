import { createHash } from 'node:crypto'
import type { BackupRetention } from '#lib/backup-retention.ts'
import { forEachConcurrently } from '#lib/concurrency.ts'
import { DAY_MS } from '#lib/time.ts'
import type { PhotoStore } from '#features/storage/photo-store.server.ts'
import { selectExpiredBackups } from './backup-policy.ts'
import { formatChecksums, parseChecksums } from './backup-record.server.ts'
import { otherPhotoPath } from './database-contents.server.ts'
import { backupTime, MaintenanceError } from './maintenance.ts'

// Backups of photos that are in a bucket stay there: under `backups/photos/`, once for all backups that have them, and one list for
// each backup under `backups/lists/`.

/** The list of a backup's photos in the bucket: path and sha256 of each, like SHA256SUMS. It is in the backup, too. */
export const BUCKET_PHOTOS_FILE = 'SHA256SUMS.bucket'

const LISTS = 'backups/lists/'
const POOL = 'backups/photos/'
/** The key of a photo's copy, by its path in a backup. */
export const poolKey = (path: string): string => `backups/${path}`

/** Photos read or copied at the same time. */
const CONCURRENCY = 8
/** A copy that no list names yet may belong to a backup under way on another machine. */
const UNLISTED_RETENTION_MS = DAY_MS

export const hashBytes = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The sizes of all files below `prefix`, by key. */
async function listSizes(store: PhotoStore, prefix: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { key, bytes } of store.list(prefix)) sizes.set(key, bytes)
  return sizes
}

/** The photos of one unfinished backup, copied within the bucket. */
export class BucketBackup {
  /** sha256 of every photo in the backup, by path. */
  readonly sums = new Map<string, string>()
  /** The photos that no earlier backup has. */
  readonly added = { files: 0, bytes: 0 }
  /** The size of all photos in the backup. */
  bytes = 0
  readonly #added = new Set<string>()
  readonly #store: PhotoStore
  readonly #previousSums: ReadonlyMap<string, string>
  readonly #stored: ReadonlyMap<string, number>
  readonly #pool: ReadonlyMap<string, number>

  private constructor(
    store: PhotoStore,
    previousSums: ReadonlyMap<string, string>,
    stored: ReadonlyMap<string, number>,
    pool: ReadonlyMap<string, number>,
  ) {
    this.#store = store
    this.#previousSums = previousSums
    this.#stored = stored
    this.#pool = pool
  }

  /** @param previousSums those of the previous backup's photos. @throws StoreUnavailableError */
  static async open(store: PhotoStore, previousSums: ReadonlyMap<string, string>): Promise<BucketBackup> {
    return new BucketBackup(store, previousSums, await listSizes(store, 'photos/'), await listSizes(store, POOL))
  }

  /** Copies photos, by their paths under `photos/`. @returns the paths of those that are missing, sorted */
  async copyPhotos(names: Iterable<string>): Promise<string[]> {
    const missing: string[] = []
    await forEachConcurrently(names, CONCURRENCY, async (name) => {
      const path = `photos/${name}`
      if (this.sums.has(path)) return
      const size = this.#stored.get(path) ?? this.#stored.get(`photos/${otherPhotoPath(name)}`)
      const previousSum = this.#previousSums.get(path)
      // A photo's content never changes under its name, so the copy of an earlier backup is the same.
      if (size && previousSum && size === this.#pool.get(poolKey(path))) this.sums.set(path, previousSum)
      else if (!(await this.#copy(path, name))) missing.push(name)
    })
    return missing.toSorted()
  }

  /** Reads the photo, so that its sum is known. @returns false where it is missing */
  async #copy(path: string, name: string): Promise<boolean> {
    const photo = (await this.#store.get(path)) ?? (await this.#store.get(`photos/${otherPhotoPath(name)}`))
    if (!photo?.length) return false
    await this.#store.put(poolKey(path), photo)
    this.sums.set(path, hashBytes(photo))
    this.#added.add(path)
    this.added.files++
    this.added.bytes += photo.length
    return true
  }

  /** Leaves out photos of dogs that were deleted during the backup. Their copies go with the next pruning. */
  async deleteUnreferencedPhotos(referenced: ReadonlySet<string>): Promise<void> {
    for (const path of this.sums.keys()) {
      if (referenced.has(path.slice('photos/'.length))) continue
      if (this.#added.has(path)) await this.#store.delete(poolKey(path))
      this.sums.delete(path)
    }
  }

  /** Reads the new copies again, and looks for the others. @throws MaintenanceError for one that is missing or differs */
  async verify(): Promise<void> {
    const pool = await listSizes(this.#store, POOL)
    await forEachConcurrently(this.sums, CONCURRENCY, async ([path, sum]) => {
      const copy = this.#added.has(path) ? await this.#store.get(poolKey(path)) : null
      const isIntact = this.#added.has(path)
        ? copy !== null && hashBytes(copy) === sum
        : Boolean(pool.get(poolKey(path)))
      this.bytes += copy?.length ?? pool.get(poolKey(path)) ?? 0
      if (!isIntact)
        throw new MaintenanceError(`${poolKey(path)} no está en el bucket como se escribió: repite la copia.`)
    })
  }

  /** The list of the photos, for the backup; also stored in the bucket, whose copies it retains. */
  async writeList(backupName: string): Promise<string> {
    const text = formatChecksums(this.sums)
    await this.#store.put(LISTS + backupName, Buffer.from(text))
    return text
  }
}

/**
 * Deletes the lists in the bucket that `retention` does not retain, then the copies that no list names any more.
 * @returns how many copies
 */
export async function pruneBucketBackups(
  store: PhotoStore,
  retention: BackupRetention,
  now = Date.now(),
): Promise<number> {
  const names: string[] = []
  for await (const { key } of store.list(LISTS)) names.push(key.slice(LISTS.length))
  const expired = new Set(selectExpiredBackups(names, retention))
  const retained = new Set<string>()
  for (const name of names) {
    if (backupTime(name) === null || expired.has(name)) continue
    const list = await store.get(LISTS + name)
    for (const path of parseChecksums(list?.toString() ?? '', name).keys()) retained.add(poolKey(path))
  }
  await store.delete(...[...expired].map((name) => LISTS + name))
  const unlisted: string[] = []
  for await (const { key, modifiedAt } of store.list(POOL))
    if (!retained.has(key) && now - modifiedAt > UNLISTED_RETENTION_MS) unlisted.push(key)
  await forEachConcurrently(unlisted, CONCURRENCY, (key) => store.delete(key))
  return unlisted.length
}
