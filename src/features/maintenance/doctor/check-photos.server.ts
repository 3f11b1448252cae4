import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import { rendersFolder } from '#features/photos/files.server.ts'
import { formatPlural } from '#features/maintenance/maintenance.ts'
import { copyFile, hashFile, ifAbsent, isBlank, fileSize, walkFiles } from '#features/maintenance/files.server.ts'
import { listBackups, readChecksums } from '#features/maintenance/backup-record.server.ts'
import {
  isPhotoReferenced,
  otherPhotoPath,
  listReferencedPhotos,
  listPhotosToDelete,
} from '#features/maintenance/database-contents.server.ts'
import { warning, failure, type Finding, ok, formatSome } from './finding.ts'

const HOUR_MS = 3_600_000
/** How long what nobody names stays in `DATA_DIR/lost`, ms: a mistake can be undone, and what was deleted goes in the end. */
const LOST_RETENTION_MS = 30 * 24 * HOUR_MS

/** Photos, their renders and what was left half written. */
export interface PhotoCheck {
  named: number
  /** Photos that rows name and that are not there. */
  missing: string[]
  /** Photos that rows name and that hold nothing: empty, or NULs. */
  blank: string[]
  /** Photos that lie in the place for public ones and are out of sight, or the other way round: as the rows name them. */
  misplaced: string[]
  /** Files in `photos/` that no row names. */
  orphans: string[]
  /** Files of photos that were deleted and that a server is to remove, where none runs: paths under DATA_DIR. */
  deleted: string[]
  /** Files half written: paths under DATA_DIR. */
  parts: string[]
  /** Folders of renders of photos that are gone: names. */
  renders: string[]
  /** What no row names or is half written, but so new that an upload may be under way. */
  fresh: number
  /** Files in `lost` for longer than a month: paths under DATA_DIR. */
  lost: string[]
}

/** Names of files being written, of photos, renders, mails and keys. */
const UNFINISHED_NAME = /\.part$|^\.mail-|^\.push-keys\.json-/

const modifiedAt = (file: string): Promise<number | null> =>
  stat(file).then(
    (info) => info.mtimeMs,
    () => null,
  )

/**
 * Compares the photos on the disk with the rows that name them.
 * @param isServed whether uploads may be under way: then nothing younger than an hour counts as left behind
 */
export async function checkPhotos(
  dataDir: string,
  sqlite: Database.Database,
  { isServed, now = Date.now() }: { isServed: boolean; now?: number },
): Promise<PhotoCheck> {
  const isOld = async (path: string) => {
    if (!isServed) return true
    const time = await modifiedAt(join(dataDir, path))
    return time !== null && now - time > HOUR_MS
  }
  // The disk first, the rows after: a photo whose row comes in between is then known to be named.
  const onDisk: string[] = []
  for await (const path of walkFiles(join(dataDir, 'photos'))) onDisk.push(path)
  const named = listReferencedPhotos(sqlite)
  const toRemove = listPhotosToDelete(sqlite)
  const found: PhotoCheck = {
    named: named.size,
    missing: [],
    blank: [],
    misplaced: [],
    orphans: [],
    deleted: [],
    parts: [],
    renders: [],
    fresh: 0,
    lost: [],
  }
  const sort = async (path: string, list: string[], entry: string) => {
    if (await isOld(path)) list.push(entry)
    else found.fresh++
  }
  for (const name of onDisk) {
    if (UNFINISHED_NAME.test(name)) await sort(`photos/${name}`, found.parts, `photos/${name}`)
    else if (named.has(name) || named.has(otherPhotoPath(name))) continue
    else if (!toRemove.has(basename(name))) await sort(`photos/${name}`, found.orphans, name)
    // A server at work does it by itself.
    else if (!isServed) found.deleted.push(`photos/${name}`)
  }
  for (const name of named)
    if (await fileSize(join(dataDir, 'photos', otherPhotoPath(name)))) found.misplaced.push(name)
    else if ((await fileSize(join(dataDir, 'photos', name))) === null) found.missing.push(name)
    else if (await isBlank(join(dataDir, 'photos', name))) found.blank.push(name)
  // One that went in between is no longer named now.
  for (const list of ['missing', 'blank'] as const)
    found[list] = found[list].filter((name) => isPhotoReferenced(sqlite, name))
  const isStillThere = async (name: string) =>
    isPhotoReferenced(sqlite, name) && (await fileSize(join(dataDir, 'photos', otherPhotoPath(name)))) !== null
  const looks = await Promise.all(found.misplaced.map(isStillThere))
  found.misplaced = found.misplaced.filter((_, at) => looks[at])
  for (const name of await readdir(join(dataDir, 'cache', 'photos')).catch(ifAbsent([])))
    if (!named.has(name) && (await fileSize(join(dataDir, 'photos', name))) === null) found.renders.push(name)
  for (const name of await readdir(dataDir)) if (UNFINISHED_NAME.test(name)) await sort(name, found.parts, name)
  for await (const path of walkFiles(join(dataDir, 'outbox')))
    if (UNFINISHED_NAME.test(path)) await sort(`outbox/${path}`, found.parts, `outbox/${path}`)
  for await (const path of walkFiles(join(dataDir, 'cache')))
    if (path.endsWith('.part')) await sort(`cache/${path}`, found.parts, `cache/${path}`)
  for (const name of await readdir(join(dataDir, 'lost')).catch(ifAbsent([]))) {
    const time = await modifiedAt(join(dataDir, 'lost', name))
    if (time !== null && now - time > LOST_RETENTION_MS) found.lost.push(`lost/${name}`)
  }
  return found
}

/** The survey as lines of the doctor's list. */
export function toPhotoFindings(found: PhotoCheck): Finding[] {
  const { missing, blank, misplaced, orphans, deleted, parts, renders, lost, fresh } = found
  const underWay =
    fresh > 0
      ? `; ${formatPlural(fresh, 'archivo es tan nuevo que puede', 'archivos son tan nuevos que pueden')} estar subiéndose`
      : ''
  return [
    missing.length > 0
      ? failure(
          'fotos',
          `faltan ${missing.length} de ${found.named} en el disco (${formatSome(missing)}); --repair las busca en las copias`,
          true,
        )
      : ok('fotos', `${formatPlural(found.named, 'foto, que está', 'fotos, que están')} en el disco${underWay}`),
    ...(blank.length > 0
      ? [
          failure(
            'fotos vacías',
            `${formatPlural(blank.length, 'archivo está vacío o lleno', 'archivos están vacíos o llenos')} de ceros (${formatSome(blank)}); --repair los busca en las copias`,
            true,
          ),
        ]
      : []),
    ...(misplaced.length > 0
      ? [
          warning(
            'fotos fuera de sitio',
            `${formatPlural(misplaced.length, 'foto que no está', 'fotos que no están')} donde dice la base (${formatSome(misplaced)}); al arrancar, lo oculto se aparta`,
            true,
          ),
        ]
      : []),
    ...(deleted.length > 0
      ? [
          warning(
            'fotos por borrar',
            `${formatPlural(deleted.length, 'foto borrada que sigue', 'fotos borradas que siguen')} en el disco (${formatSome(deleted)}); al arrancar se quitan`,
            true,
          ),
        ]
      : []),
    orphans.length > 0
      ? warning(
          'fotos sueltas',
          `${formatPlural(orphans.length, 'archivo que nadie nombra', 'archivos que nadie nombra')} (${formatSome(orphans)})`,
          true,
        )
      : ok('fotos sueltas', 'ninguna'),
    parts.length + renders.length + lost.length > 0
      ? warning(
          'restos',
          `${parts.length} a medio escribir, ${renders.length} miniaturas de fotos que ya no están, ${lost.length} apartados hace más de un mes`,
          true,
        )
      : ok('restos', 'ninguno'),
  ]
}

/** Mends what `found` tells of. @returns what was done, in Spanish */
export async function repairPhotos(
  dataDir: string,
  backupDir: string,
  sqlite: Database.Database,
  found: PhotoCheck,
): Promise<string[]> {
  const done: string[] = []
  for (const name of found.misplaced) if (isPhotoReferenced(sqlite, name)) await moveToRowPath(dataDir, name)
  if (found.misplaced.length > 0)
    done.push(`${formatPlural(found.misplaced.length, 'foto puesta', 'fotos puestas')} en su sitio`)
  const back = await recoverPhotos(dataDir, backupDir, [...found.missing, ...found.blank])
  if (back > 0)
    done.push(`${formatPlural(back, 'foto recuperada', 'fotos recuperadas')} de lo apartado o de las copias`)
  let away = 0
  for (const name of found.orphans) {
    // Asked again at the last moment.
    if (isPhotoReferenced(sqlite, name)) continue
    await mkdir(join(dataDir, 'lost'), { recursive: true, mode: 0o700 })
    await rename(join(dataDir, 'photos', name), join(dataDir, 'lost', basename(name))).then(
      () => away++,
      () => {},
    )
    await rm(rendersFolder(dataDir, basename(name)), { recursive: true, force: true })
  }
  if (away > 0)
    done.push(`${formatPlural(away, 'foto suelta apartada', 'fotos sueltas apartadas')} en ${join(dataDir, 'lost')}`)
  for (const path of found.deleted) {
    await rm(join(dataDir, path), { force: true })
    await rm(rendersFolder(dataDir, basename(path)), { recursive: true, force: true })
  }
  if (found.deleted.length > 0)
    done.push(
      formatPlural(found.deleted.length, 'foto ya borrada, quitada', 'fotos ya borradas, quitadas') + ' del disco',
    )
  const remains = [...found.parts, ...found.lost]
  for (const path of remains) await rm(join(dataDir, path), { recursive: true, force: true })
  for (const name of found.renders) await rm(rendersFolder(dataDir, name), { recursive: true, force: true })
  const gone = remains.length + found.renders.length
  if (gone > 0) done.push(`${formatPlural(gone, 'resto borrado', 'restos borrados')}`)
  return done
}

/** Moves a photo to where its row says it is; where it lies in both places, the other one goes. */
async function moveToRowPath(dataDir: string, name: string): Promise<void> {
  const [file, other] = [join(dataDir, 'photos', name), join(dataDir, 'photos', otherPhotoPath(name))]
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  if (!(await fileSize(file))) await rename(other, file)
  await rm(other, { force: true })
  await rm(rendersFolder(dataDir, basename(name)), { recursive: true, force: true })
}

/** Looks for photos that are gone or blank among what was set aside, then in the backups from the newest on. */
async function recoverPhotos(dataDir: string, backupDir: string, missing: readonly string[]): Promise<number> {
  const wanted = new Set(missing)
  const put = async (name: string, from: string, sum?: string) => {
    if ((await isBlank(from)) || (sum && (await hashFile(from)) !== sum)) return
    const part = join(dataDir, 'photos', `${name}.part`)
    await mkdir(dirname(part), { recursive: true, mode: 0o700 })
    await copyFile(from, part)
    await rename(part, join(dataDir, 'photos', name))
    wanted.delete(name)
  }
  for (const name of wanted) await put(name, join(dataDir, 'lost', basename(name)))
  for (const backup of (await listBackups(backupDir)).toReversed()) {
    if (wanted.size === 0) break
    const sums = await readChecksums(join(backupDir, backup)).catch(() => null)
    for (const name of wanted)
      for (const kept of [name, otherPhotoPath(name)]) {
        const sum = sums?.get(`photos/${kept}`)
        if (sum) await put(name, join(backupDir, backup, 'photos', kept), sum).catch(() => {})
      }
  }
  return missing.length - wanted.size
}
