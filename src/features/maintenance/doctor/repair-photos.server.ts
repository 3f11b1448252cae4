import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import { rendersFolder } from '#features/photos/files.server.ts'
import { formatPlural } from '#features/maintenance/maintenance.ts'
import { copyFile, fileSize, hashFile, isBlank } from '#features/maintenance/files.server.ts'
import { listBackups, readChecksums } from '#features/maintenance/backup-record.server.ts'
import { isPhotoReferenced, otherPhotoPath } from '#features/maintenance/database-contents.server.ts'
import type { PhotoCheck } from './check-photos.server.ts'

/** Repairs the faults of `check`. @returns what was done, in Spanish sentences */
export async function repairPhotos(
  dataDir: string,
  backupDir: string,
  sqlite: Database.Database,
  check: PhotoCheck,
): Promise<string[]> {
  const repairs: string[] = []
  const add = (count: number, singular: string, plural: string, rest = '') => {
    if (count > 0) repairs.push(formatPlural(count, singular, plural) + rest)
  }
  for (const name of check.misplaced) if (isPhotoReferenced(sqlite, name)) await moveToRowPath(dataDir, name)
  add(check.misplaced.length, 'foto puesta', 'fotos puestas', ' en su sitio')
  const recovered = await recoverPhotos(dataDir, backupDir, [...check.missing, ...check.blank])
  add(recovered, 'foto recuperada', 'fotos recuperadas', ' de lo apartado o de las copias')
  const movedAside = await moveOrphansAside(dataDir, sqlite, check.orphans)
  add(movedAside, 'foto suelta apartada', 'fotos sueltas apartadas', ` en ${join(dataDir, 'lost')}`)
  for (const path of check.deleted) {
    await rm(join(dataDir, path), { force: true })
    await deleteRenders(dataDir, path)
  }
  add(check.deleted.length, 'foto ya borrada, quitada', 'fotos ya borradas, quitadas', ' del disco')
  for (const path of [...check.parts, ...check.expired]) await rm(join(dataDir, path), { recursive: true, force: true })
  for (const name of check.renders) await deleteRenders(dataDir, name)
  add(check.parts.length + check.expired.length + check.renders.length, 'resto borrado', 'restos borrados')
  return repairs
}

const deleteRenders = (dataDir: string, photoPath: string): Promise<void> =>
  rm(rendersFolder(dataDir, basename(photoPath)), { recursive: true, force: true })

/** Moves unreferenced photos to `DATA_DIR/lost`. @returns how many */
async function moveOrphansAside(dataDir: string, sqlite: Database.Database, orphans: readonly string[]) {
  let moved = 0
  for (const name of orphans) {
    // A row may have been added since the check.
    if (isPhotoReferenced(sqlite, name)) continue
    await mkdir(join(dataDir, 'lost'), { recursive: true, mode: 0o700 })
    await rename(join(dataDir, 'photos', name), join(dataDir, 'lost', basename(name))).then(
      () => moved++,
      () => {},
    )
    await deleteRenders(dataDir, name)
  }
  return moved
}

/** Moves a photo to the path that its row references. If it is in both places, the other file is deleted. */
async function moveToRowPath(dataDir: string, name: string): Promise<void> {
  const [file, other] = [join(dataDir, 'photos', name), join(dataDir, 'photos', otherPhotoPath(name))]
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  if (!(await fileSize(file))) await rename(other, file)
  await rm(other, { force: true })
  await deleteRenders(dataDir, name)
}

/** Restores missing and blank photos from `DATA_DIR/lost`, then from the backups, newest first. @returns how many */
async function recoverPhotos(dataDir: string, backupDir: string, names: readonly string[]): Promise<number> {
  const missing = new Set(names)
  const recover = async (name: string, from: string, sum?: string) => {
    if ((await isBlank(from)) || (sum && (await hashFile(from)) !== sum)) return
    const part = join(dataDir, 'photos', `${name}.part`)
    await mkdir(dirname(part), { recursive: true, mode: 0o700 })
    await copyFile(from, part)
    await rename(part, join(dataDir, 'photos', name))
    missing.delete(name)
  }
  for (const name of missing) await recover(name, join(dataDir, 'lost', basename(name)))
  for (const backup of (await listBackups(backupDir)).toReversed()) {
    if (missing.size === 0) break
    const sums = await readChecksums(join(backupDir, backup)).catch(() => null)
    for (const name of missing)
      for (const storedName of [name, otherPhotoPath(name)]) {
        const sum = sums?.get(`photos/${storedName}`)
        if (sum) await recover(name, join(backupDir, backup, 'photos', storedName), sum).catch(() => {})
      }
  }
  return names.length - missing.size
}
