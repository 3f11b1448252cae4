import type { BackupRetention } from '#lib/backup-retention.ts'
import { forEachConcurrently } from '#lib/concurrency.ts'
import { DAY_MS } from '#lib/time.ts'
import type { PhotoStore } from '#features/storage/photo-store.server.ts'
import { poolKey } from './backup-part.server.ts'
import { selectExpiredBackups } from './backup-policy.ts'
import { parseChecksums } from './backup-record.server.ts'
import { backupTime } from './maintenance.ts'

// Backups of photos that are in a bucket stay there: under `backups/photos/`, once for all backups that have them, and one list for
// each backup under `backups/lists/`.

const LISTS = 'backups/lists/'
/** The key of a backup's list, which retains the copies that it names. */
export const listKey = (backupName: string): string => LISTS + backupName

/** Photos read or copied at the same time. */
export const BUCKET_CONCURRENCY = 8
/** A copy that no list names yet may belong to a backup under way on another machine. */
const UNLISTED_RETENTION_MS = DAY_MS

/** The sizes of all files below `prefix`, by key. */
export const listSizes = async (store: PhotoStore, prefix: string): Promise<ReadonlyMap<string, number>> =>
  new Map((await Array.fromAsync(store.list(prefix))).map(({ key, bytes }) => [key, bytes]))

/**
 * Deletes the lists in the bucket that `retention` does not retain, then the copies that no list names any more.
 * @returns how many copies
 */
export async function pruneBucketBackups(
  store: PhotoStore,
  retention: BackupRetention,
  now = Date.now(),
): Promise<number> {
  const names = [...(await listSizes(store, LISTS)).keys()].map((key) => key.slice(LISTS.length))
  const expired = selectExpiredBackups(names, retention)
  const retained = new Set<string>()
  for (const name of names.filter((each) => backupTime(each) !== null && !expired.includes(each))) {
    const list = await store.get(listKey(name))
    for (const path of parseChecksums(list?.toString() ?? '', name).keys()) retained.add(poolKey(path))
  }
  await store.delete(...expired.map(listKey))
  const unlisted: string[] = []
  for await (const { key, modifiedAt } of store.list(poolKey('photos/')))
    if (!retained.has(key) && now - modifiedAt > UNLISTED_RETENTION_MS) unlisted.push(key)
  await forEachConcurrently(unlisted, BUCKET_CONCURRENCY, (key) => store.delete(key))
  return unlisted.length
}
