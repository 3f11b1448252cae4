import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forEachConcurrently } from '#lib/concurrency.ts'
import type { PhotoStore } from '#features/storage/photo-store.server.ts'
import { isBlankContent } from '#features/storage/files.server.ts'
import { BUCKET_PHOTOS_FILE, hashBytes, poolKey } from './backup-bucket.server.ts'
import { readChecksums } from './backup-record.server.ts'
import { otherPhotoPath } from './database-contents.server.ts'
import { backupName, MaintenanceError } from './maintenance.ts'

const CONCURRENCY = 8

/** The sums of a backup's photos, by path: those in its folder, and those in the bucket. */
export async function readPhotoSums(backup: string, sums: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const photos = new Map([...sums].filter(([path]) => path.startsWith('photos/')))
  if (!sums.has(BUCKET_PHOTOS_FILE)) return photos
  return new Map([...photos, ...(await readChecksums(backup, BUCKET_PHOTOS_FILE))])
}

/** Reads a photo of a backup, from its folder or the bucket. Null where it is missing, blank or not what was written. */
export async function readBackupPhoto(
  store: PhotoStore,
  backup: string,
  path: string,
  sum: string,
): Promise<Buffer | null> {
  const local = await readFile(join(backup, path)).catch(() => null)
  const photo = local ?? (store.isRemote ? await store.get(poolKey(path)) : null)
  return photo && hashBytes(photo) === sum && !isBlankContent(photo) ? photo : null
}

/**
 * Puts a backup's photos into the bucket, where the database of the backup expects them. Call it before the database is replaced: photos
 * are only added, since none changes its content under its name; those that no row names afterwards are reported by the doctor.
 * @param names paths under `photos/` that the backup's database references
 * @throws MaintenanceError for a photo that is in neither; StoreUnavailableError
 */
export async function restoreToBucket(
  store: PhotoStore,
  backup: string,
  sums: ReadonlyMap<string, string>,
  { names, missing, now }: { names: Iterable<string>; missing: ReadonlySet<string>; now: number },
): Promise<void> {
  const photoSums = await readPhotoSums(backup, sums)
  await forEachConcurrently(names, CONCURRENCY, async (name) => {
    const key = `photos/${name}`
    if (missing.has(name) || (await store.size(key))) return
    // Hidden or shown since the backup.
    if (await store.copy(`photos/${otherPhotoPath(name)}`, key)) return
    for (const path of [key, `photos/${otherPhotoPath(name)}`]) {
      const sum = photoSums.get(path)
      const photo = sum === undefined ? null : await readBackupPhoto(store, backup, path, sum)
      if (photo) return store.put(key, photo)
    }
    throw new MaintenanceError(`la copia ${backup} está incompleta: falta ${key}. La base de datos no se ha tocado.`)
  })
  const pictures = [...sums.keys()].filter((path) => path.startsWith('razas/'))
  await forEachConcurrently(pictures, CONCURRENCY, async (key) => {
    const picture = await readFile(join(backup, key))
    const current = await store.get(key)
    if (current?.equals(picture)) return
    if (current) await store.put(`before-restore-${backupName(now)}/${key}`, current)
    await store.put(key, picture)
  })
}
