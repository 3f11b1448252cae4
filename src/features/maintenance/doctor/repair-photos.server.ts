import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Db } from '#db/client.ts'
import { deleteRenders, photoKey } from '#features/photos/files.server.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'
import { formatPlural } from '#features/maintenance/maintenance.ts'
import { listBackups, readChecksums } from '#features/maintenance/backup-record.server.ts'
import { readBackupPhoto, readPhotoSums } from '#features/maintenance/restore-bucket.server.ts'
import { isPhotoReferenced, otherPhotoPath } from '#features/maintenance/database-contents.server.ts'
import { isOtherSitesStore, type PhotoCheck } from './check-photos.server.ts'

/** The key of a photo that no row names, once it was moved aside. */
const lostKey = (name: string): string => `lost/${basename(name)}`

/**
 * Repairs the faults of `check`. Repairs nothing where the settings name the database of another site: all its photos would be put aside.
 * @returns what was done, in Spanish sentences
 */
export async function repairPhotos(dataDir: string, backupDir: string, db: Db, check: PhotoCheck): Promise<string[]> {
  if (isOtherSitesStore(check)) return []
  const repairs: string[] = []
  const add = (count: number, singular: string, plural: string, rest = '') => {
    if (count > 0) repairs.push(formatPlural(count, singular, plural) + rest)
  }
  for (const name of check.misplaced) if (await isPhotoReferenced(db, name)) await moveToRowPath(dataDir, name)
  add(check.misplaced.length, 'foto puesta', 'fotos puestas', ' en su sitio')
  const recovered = await recoverPhotos(dataDir, backupDir, [...check.missing, ...check.blank])
  add(recovered, 'foto recuperada', 'fotos recuperadas', ' de lo apartado o de las copias')
  const movedAside = await moveOrphansAside(dataDir, db, check.orphans)
  add(movedAside, 'foto suelta apartada', 'fotos sueltas apartadas', ` en ${join(dataDir, 'lost')}`)
  const store = photoStore(dataDir)
  for (const key of check.deleted) {
    await store.delete(key)
    await deleteRenders(dataDir, basename(key))
  }
  add(check.deleted.length, 'foto ya borrada, quitada', 'fotos ya borradas, quitadas', ' del disco')
  for (const path of check.parts) await rm(join(dataDir, path), { recursive: true, force: true })
  await store.delete(...check.expired)
  for (const name of check.renders) await deleteRenders(dataDir, name)
  add(check.parts.length + check.expired.length + check.renders.length, 'resto borrado', 'restos borrados')
  return repairs
}

/** Moves unreferenced photos to `lost`. @returns how many */
async function moveOrphansAside(dataDir: string, db: Db, orphans: readonly string[]) {
  let moved = 0
  for (const name of orphans) {
    // A row may have been added since the check.
    if (await isPhotoReferenced(db, name)) continue
    const isMoved = await photoStore(dataDir)
      .move(photoKey(name), lostKey(name))
      .catch(() => false)
    if (isMoved) moved++
    await deleteRenders(dataDir, basename(name))
  }
  return moved
}

/** Moves a photo to the key that its row references. If it is in both places, the other file is deleted. */
async function moveToRowPath(dataDir: string, name: string): Promise<void> {
  const store = photoStore(dataDir)
  const [key, other] = [photoKey(name), photoKey(otherPhotoPath(name))]
  if (!(await store.size(key))) await store.move(other, key)
  await store.delete(other)
  await deleteRenders(dataDir, basename(name))
}

/** Restores missing and blank photos from `lost`, then from the backups, newest first. @returns how many */
async function recoverPhotos(dataDir: string, backupDir: string, names: readonly string[]): Promise<number> {
  const store = photoStore(dataDir)
  const missing = new Set(names)
  for (const name of missing) {
    const lost = (await store.isBlank(lostKey(name))) ? null : await store.get(lostKey(name))
    if (!lost) continue
    await store.put(photoKey(name), lost)
    missing.delete(name)
  }
  for (const backup of (await listBackups(backupDir)).toReversed()) {
    if (missing.size === 0) break
    const path = join(backupDir, backup)
    const sums = await readChecksums(path)
      .then((all) => readPhotoSums(path, all))
      .catch(() => null)
    for (const name of missing)
      for (const storedName of [name, otherPhotoPath(name)]) {
        const sum = sums?.get(photoKey(storedName))
        const photo = sum === undefined ? null : await readBackupPhoto(store, path, photoKey(storedName), sum)
        if (!photo || !missing.has(name)) continue
        await store.put(photoKey(name), photo).then(
          () => missing.delete(name),
          () => {},
        )
      }
  }
  return names.length - missing.size
}
