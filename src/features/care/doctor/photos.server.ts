import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import { rendersOf } from '#features/photos/files.server.ts'
import { many } from '../care.ts'
import { copyFile, hashFile, ifAbsent, isBlank, sizeOf, walk } from '../files.server.ts'
import { listBackups, readSums } from '../record.server.ts'
import { isPhotoNamed, otherPlace, photosNamed, photosToRemove } from '../snapshot.server.ts'
import { aviso, bad, type Finding, ok, some } from './finding.ts'

const HOUR = 3_600_000
/** How long what nobody names stays in `DATA_DIR/lost`, ms: a mistake can be undone, and what was deleted goes in the end. */
const LOST_FOR = 30 * 24 * HOUR

/** Photos, their renders and what was left half written. */
export interface Survey {
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
const UNFINISHED = /\.part$|^\.mail-|^\.push-keys\.json-/

const changed = (file: string): Promise<number | null> =>
  stat(file).then(
    (info) => info.mtimeMs,
    () => null,
  )

/**
 * Compares the photos on the disk with the rows that name them.
 * @param isServed whether uploads may be under way: then nothing younger than an hour counts as left behind
 */
export async function survey(
  dataDir: string,
  sqlite: Database.Database,
  { isServed, now = Date.now() }: { isServed: boolean; now?: number },
): Promise<Survey> {
  const isOld = async (path: string) => {
    if (!isServed) return true
    const time = await changed(join(dataDir, path))
    return time !== null && now - time > HOUR
  }
  // The disk first, the rows after: a photo whose row comes in between is then known to be named.
  const onDisk: string[] = []
  for await (const path of walk(join(dataDir, 'photos'))) onDisk.push(path)
  const named = photosNamed(sqlite)
  const toRemove = photosToRemove(sqlite)
  const found: Survey = {
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
    if (UNFINISHED.test(name)) await sort(`photos/${name}`, found.parts, `photos/${name}`)
    else if (named.has(name) || named.has(otherPlace(name))) continue
    else if (!toRemove.has(basename(name))) await sort(`photos/${name}`, found.orphans, name)
    // A server at work does it by itself.
    else if (!isServed) found.deleted.push(`photos/${name}`)
  }
  for (const name of named)
    if (await sizeOf(join(dataDir, 'photos', otherPlace(name)))) found.misplaced.push(name)
    else if ((await sizeOf(join(dataDir, 'photos', name))) === null) found.missing.push(name)
    else if (await isBlank(join(dataDir, 'photos', name))) found.blank.push(name)
  // One that went in between is no longer named now.
  for (const list of ['missing', 'blank'] as const)
    found[list] = found[list].filter((name) => isPhotoNamed(sqlite, name))
  const isStillThere = async (name: string) =>
    isPhotoNamed(sqlite, name) && (await sizeOf(join(dataDir, 'photos', otherPlace(name)))) !== null
  const looks = await Promise.all(found.misplaced.map(isStillThere))
  found.misplaced = found.misplaced.filter((_, at) => looks[at])
  for (const name of await readdir(join(dataDir, 'cache', 'photos')).catch(ifAbsent([])))
    if (!named.has(name) && (await sizeOf(join(dataDir, 'photos', name))) === null) found.renders.push(name)
  for (const name of await readdir(dataDir)) if (UNFINISHED.test(name)) await sort(name, found.parts, name)
  for await (const path of walk(join(dataDir, 'outbox')))
    if (UNFINISHED.test(path)) await sort(`outbox/${path}`, found.parts, `outbox/${path}`)
  for await (const path of walk(join(dataDir, 'cache')))
    if (path.endsWith('.part')) await sort(`cache/${path}`, found.parts, `cache/${path}`)
  for (const name of await readdir(join(dataDir, 'lost')).catch(ifAbsent([]))) {
    const time = await changed(join(dataDir, 'lost', name))
    if (time !== null && now - time > LOST_FOR) found.lost.push(`lost/${name}`)
  }
  return found
}

/** The survey as lines of the doctor's list. */
export function findingsOf(found: Survey): Finding[] {
  const { missing, blank, misplaced, orphans, deleted, parts, renders, lost, fresh } = found
  const underWay =
    fresh > 0
      ? `; ${many(fresh, 'archivo es tan nuevo que puede', 'archivos son tan nuevos que pueden')} estar subiéndose`
      : ''
  return [
    missing.length > 0
      ? bad(
          'fotos',
          `faltan ${missing.length} de ${found.named} en el disco (${some(missing)}); --repair las busca en las copias`,
          true,
        )
      : ok('fotos', `${many(found.named, 'foto, que está', 'fotos, que están')} en el disco${underWay}`),
    ...(blank.length > 0
      ? [
          bad(
            'fotos vacías',
            `${many(blank.length, 'archivo está vacío o lleno', 'archivos están vacíos o llenos')} de ceros (${some(blank)}); --repair los busca en las copias`,
            true,
          ),
        ]
      : []),
    ...(misplaced.length > 0
      ? [
          aviso(
            'fotos fuera de sitio',
            `${many(misplaced.length, 'foto que no está', 'fotos que no están')} donde dice la base (${some(misplaced)}); al arrancar, lo oculto se aparta`,
            true,
          ),
        ]
      : []),
    ...(deleted.length > 0
      ? [
          aviso(
            'fotos por borrar',
            `${many(deleted.length, 'foto borrada que sigue', 'fotos borradas que siguen')} en el disco (${some(deleted)}); al arrancar se quitan`,
            true,
          ),
        ]
      : []),
    orphans.length > 0
      ? aviso(
          'fotos sueltas',
          `${many(orphans.length, 'archivo que nadie nombra', 'archivos que nadie nombra')} (${some(orphans)})`,
          true,
        )
      : ok('fotos sueltas', 'ninguna'),
    parts.length + renders.length + lost.length > 0
      ? aviso(
          'restos',
          `${parts.length} a medio escribir, ${renders.length} miniaturas de fotos que ya no están, ${lost.length} apartados hace más de un mes`,
          true,
        )
      : ok('restos', 'ninguno'),
  ]
}

/** Mends what `found` tells of. @returns what was done, in Spanish */
export async function mendPhotos(
  dataDir: string,
  backupDir: string,
  sqlite: Database.Database,
  found: Survey,
): Promise<string[]> {
  const done: string[] = []
  for (const name of found.misplaced) if (isPhotoNamed(sqlite, name)) await putInPlace(dataDir, name)
  if (found.misplaced.length > 0)
    done.push(`${many(found.misplaced.length, 'foto puesta', 'fotos puestas')} en su sitio`)
  const back = await bringBack(dataDir, backupDir, [...found.missing, ...found.blank])
  if (back > 0) done.push(`${many(back, 'foto recuperada', 'fotos recuperadas')} de lo apartado o de las copias`)
  let away = 0
  for (const name of found.orphans) {
    // Asked again at the last moment.
    if (isPhotoNamed(sqlite, name)) continue
    await mkdir(join(dataDir, 'lost'), { recursive: true, mode: 0o700 })
    await rename(join(dataDir, 'photos', name), join(dataDir, 'lost', basename(name))).then(
      () => away++,
      () => {},
    )
    await rm(rendersOf(dataDir, basename(name)), { recursive: true, force: true })
  }
  if (away > 0)
    done.push(`${many(away, 'foto suelta apartada', 'fotos sueltas apartadas')} en ${join(dataDir, 'lost')}`)
  for (const path of found.deleted) {
    await rm(join(dataDir, path), { force: true })
    await rm(rendersOf(dataDir, basename(path)), { recursive: true, force: true })
  }
  if (found.deleted.length > 0)
    done.push(many(found.deleted.length, 'foto ya borrada, quitada', 'fotos ya borradas, quitadas') + ' del disco')
  const remains = [...found.parts, ...found.lost]
  for (const path of remains) await rm(join(dataDir, path), { recursive: true, force: true })
  for (const name of found.renders) await rm(rendersOf(dataDir, name), { recursive: true, force: true })
  const gone = remains.length + found.renders.length
  if (gone > 0) done.push(`${many(gone, 'resto borrado', 'restos borrados')}`)
  return done
}

/** Moves a photo to where its row says it is; where it lies in both places, the other one goes. */
async function putInPlace(dataDir: string, name: string): Promise<void> {
  const [file, other] = [join(dataDir, 'photos', name), join(dataDir, 'photos', otherPlace(name))]
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  if (!(await sizeOf(file))) await rename(other, file)
  await rm(other, { force: true })
  await rm(rendersOf(dataDir, basename(name)), { recursive: true, force: true })
}

/** Looks for photos that are gone or blank among what was set aside, then in the backups from the newest on. */
async function bringBack(dataDir: string, backupDir: string, missing: readonly string[]): Promise<number> {
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
    const sums = await readSums(join(backupDir, backup)).catch(() => null)
    for (const name of wanted)
      for (const kept of [name, otherPlace(name)]) {
        const sum = sums?.get(`photos/${kept}`)
        if (sum) await put(name, join(backupDir, backup, 'photos', kept), sum).catch(() => {})
      }
  }
  return missing.length - wanted.size
}
