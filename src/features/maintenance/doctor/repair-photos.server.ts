import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Db } from '#db/client.ts'
import { listBackups } from '#features/maintenance/backup-record.server.ts'
import { isPhotoReferenced, otherPhotoPath } from '#features/maintenance/database-contents.server.ts'
import { formatPlural } from '#features/maintenance/maintenance.ts'
import { readBackupPhoto, readPhotoSums } from '#features/maintenance/restore.server.ts'
import { deleteRenders, photoKey } from '#features/photos/files.server.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'
import { isOtherSitesStore, type PhotoCheck } from './check-photos.server.ts'

/** The key of a photo that no row names, once it was moved aside. */
const lostKey = (name: string): string => `lost/${basename(name)}`

/**
 * Repairs the faults of `check`. Repairs nothing where the settings name the database of another site: all its photos would be put aside.
 * @returns what was done, in Spanish sentences
 */
export async function repairPhotos(dataDir: string, backupDir: string, db: Db, check: PhotoCheck): Promise<string[]> {
  if (isOtherSitesStore(check)) return []
  const store = photoStore(dataDir)
  const repairs: string[] = []
  const add = (count: number, singular: string, plural: string, rest = '') => {
    if (count > 0) repairs.push(formatPlural(count, singular, plural) + rest)
  }
  for (const name of check.misplaced) {
    if (!(await isPhotoReferenced(db, name))) continue
    // In both places after a move that a crash ended.
    if (!(await store.size(photoKey(name)))) await store.move(photoKey(otherPhotoPath(name)), photoKey(name))
    await store.delete(photoKey(otherPhotoPath(name)))
    await deleteRenders(dataDir, basename(name))
  }
  add(check.misplaced.length, 'foto puesta', 'fotos puestas', ' en su sitio')
  const recovered = await recoverPhotos(dataDir, backupDir, [...check.missing, ...check.blank])
  add(recovered, 'foto recuperada', 'fotos recuperadas', ' de lo apartado o de las copias')
  let movedAside = 0
  for (const name of check.orphans) {
    // A row may have been added since the check.
    if (await isPhotoReferenced(db, name)) continue
    if (await store.move(photoKey(name), lostKey(name)).catch(() => false)) movedAside++
    await deleteRenders(dataDir, basename(name))
  }
  add(movedAside, 'foto suelta apartada', 'fotos sueltas apartadas', ` en ${join(dataDir, 'lost')}`)
  await store.delete(...check.deleted, ...check.expired)
  add(check.deleted.length, 'foto ya borrada, quitada', 'fotos ya borradas, quitadas', ' del disco')
  for (const path of check.parts) await rm(join(dataDir, path), { recursive: true, force: true })
  for (const name of [...check.deleted, ...check.renders]) await deleteRenders(dataDir, basename(name))
  add(check.parts.length + check.expired.length + check.renders.length, 'resto borrado', 'restos borrados')
  return repairs
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
  for (const backup of (await listBackups(backupDir)).toReversed().map((name) => join(backupDir, name))) {
    if (missing.size === 0) break
    const sums = await readPhotoSums(backup).catch(() => null)
    for (const name of sums ? missing : []) {
      const photo = await readBackupPhoto(store, backup, sums!, name)
      const isStored =
        photo !== null &&
        (await store.put(photoKey(name), photo).then(
          () => true,
          () => false,
        ))
      if (isStored) missing.delete(name)
    }
  }
  return names.length - missing.size
}
