import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Db } from '#db/client.ts'
import { formatPlural } from '#features/maintenance/maintenance.ts'
import { ifAbsent, walkFiles } from '#features/maintenance/files.server.ts'
import {
  countDueMoves,
  isPhotoReferenced,
  otherPhotoPath,
  listReferencedPhotos,
  listPhotosToDelete,
} from '#features/maintenance/database-contents.server.ts'
import { photoKey } from '#features/photos/files.server.ts'
import { photoStore, type StoredFile } from '#features/storage/photo-store.server.ts'
import { warning, failure, type Finding, ok, formatSome } from './finding.ts'
import { HOUR_MS } from '#lib/time.ts'

/** How long unreferenced photos stay in `DATA_DIR/lost`: a mistake can be undone, and deleted photos are gone in the end. */
const LOST_RETENTION_MS = 30 * 24 * HOUR_MS

/** Unreferenced photos from which on the store may be another site's, and the share of them that rows reference at least otherwise. */
const MISMATCH_MIN_ORPHANS = 10
const MISMATCH_SHARE = 0.1

/** The faults of photos, their renders and unfinished files. Photos are named by their paths under `photos/`. */
export interface PhotoCheck {
  /** Where the photos are, for the operator. */
  place: 'el disco' | 'el bucket'
  /** Number of photos that rows reference. */
  referenced: number
  /** Referenced photos that are not in the store. */
  missing: string[]
  /** Referenced photos that are empty or NULs. */
  blank: string[]
  /** Photos that are still in the folder to which versions before moved hidden ones, by their names. */
  misplaced: string[]
  /** Files in `photos/` that no row references. */
  orphans: string[]
  /** Photos that wait for a bucket to be moved or deleted in it. */
  waiting: number
  /** Photos that a server still has to remove, where none runs, by their keys. */
  deleted: string[]
  /** Unfinished files: paths under DATA_DIR. */
  parts: string[]
  /** Photos without a row or a file whose renders are left. */
  renders: string[]
  /** Number of unreferenced or unfinished files so new that an upload may be under way. */
  fresh: number
  /** Files in `lost` for longer than a month, by their keys. */
  expired: string[]
}

/** Matches the names of unfinished photos, renders, mails and keys. */
const UNFINISHED_NAME = /\.part$|^\.mail-|^\.(?:push-keys\.json|sign-in\.key)-/

const modifiedAt = (file: string): Promise<number | null> =>
  stat(file).then(
    (info) => info.mtimeMs,
    () => null,
  )

/**
 * Compares the photos in the store with the rows that reference them.
 * @param isServed whether uploads may be under way: then files younger than an hour do not count as left behind
 */
export async function checkPhotos(
  dataDir: string,
  db: Db,
  { isServed, now = Date.now() }: { isServed: boolean; now?: number },
): Promise<PhotoCheck> {
  const store = photoStore(dataDir)
  // Another machine may serve what is in a bucket.
  const mayBeServed = isServed || store.isRemote
  const isOld = (time: number | null) => !mayBeServed || (time !== null && now - time > HOUR_MS)
  // The store is read before the rows, so that the rows include a photo that is uploaded in between.
  const stored = new Map<string, StoredFile>()
  for await (const file of store.list('photos/')) stored.set(file.key.slice('photos/'.length), file)
  const referenced = await listReferencedPhotos(db)
  const toDelete = await listPhotosToDelete(db)
  const check: PhotoCheck = {
    place: store.isRemote ? 'el bucket' : 'el disco',
    referenced: referenced.size,
    ...(await checkReferencedPhotos(dataDir, db, referenced, stored)),
    waiting: store.isRemote ? await countDueMoves(db, now) : 0,
    orphans: [],
    deleted: [],
    parts: [],
    renders: await listOrphanRenders(dataDir, (name) => referenced.has(name) || stored.has(name)),
    fresh: 0,
    expired: await listExpiredLost(dataDir, now),
  }
  const addIfOld = (entry: string, time: number | null, list: string[]) => {
    if (isOld(time)) list.push(entry)
    else check.fresh++
  }
  for (const [name, { key, modifiedAt: time }] of stored) {
    if (UNFINISHED_NAME.test(name)) addIfOld(key, time, check.parts)
    else if (referenced.has(name) || referenced.has(otherPhotoPath(name))) continue
    else if (!toDelete.has(basename(name))) addIfOld(name, time, check.orphans)
    // A running server deletes it itself.
    else if (!mayBeServed) check.deleted.push(key)
  }
  for await (const path of walkUnfinishedFiles(dataDir))
    addIfOld(path, await modifiedAt(join(dataDir, path)), check.parts)
  return check
}

/** Finds photos that rows reference and that are missing, blank or in the wrong folder. */
async function checkReferencedPhotos(
  dataDir: string,
  db: Db,
  referenced: ReadonlySet<string>,
  stored: ReadonlyMap<string, StoredFile>,
) {
  const store = photoStore(dataDir)
  const missing: string[] = []
  const blank: string[] = []
  const misplaced: string[] = []
  const isStored = async (name: string) => (await store.size(photoKey(name))) !== null
  for (const name of referenced)
    if (stored.get(otherPhotoPath(name))?.bytes) misplaced.push(name)
    // One that was uploaded or moved since the store was listed is there.
    else if (!stored.has(name) && !(await isStored(name))) missing.push(name)
    else if (await store.isBlank(photoKey(name))) blank.push(name)
  // A photo that was deleted in between is no longer referenced.
  const selectReferenced = async (names: readonly string[]) => {
    const selected: string[] = []
    for (const name of names) if (await isPhotoReferenced(db, name)) selected.push(name)
    return selected
  }
  const stillMisplaced: string[] = []
  for (const name of await selectReferenced(misplaced))
    if (await isStored(otherPhotoPath(name))) stillMisplaced.push(name)
  return {
    missing: await selectReferenced(missing),
    blank: await selectReferenced(blank),
    misplaced: stillMisplaced,
  }
}

/** The names of photos that have renders, and neither a row nor a file. */
async function listOrphanRenders(dataDir: string, isKnown: (name: string) => boolean): Promise<string[]> {
  const names = await readdir(join(dataDir, 'cache', 'photos')).catch(ifAbsent([]))
  return names.filter((name) => !isKnown(name))
}

/** Yields the paths under DATA_DIR of unfinished files outside of `photos/`. */
async function* walkUnfinishedFiles(dataDir: string): AsyncGenerator<string> {
  for (const name of await readdir(dataDir)) if (UNFINISHED_NAME.test(name)) yield name
  for await (const path of walkFiles(join(dataDir, 'outbox'))) if (UNFINISHED_NAME.test(path)) yield `outbox/${path}`
  for await (const path of walkFiles(join(dataDir, 'cache'))) if (path.endsWith('.part')) yield `cache/${path}`
}

async function listExpiredLost(dataDir: string, now: number): Promise<string[]> {
  const expired: string[] = []
  for await (const { key, modifiedAt: time } of photoStore(dataDir).list('lost/'))
    if (now - time > LOST_RETENTION_MS) expired.push(key)
  return expired
}

const countPresent = ({ referenced, missing }: PhotoCheck): number => referenced - missing.length

/** Whether database and store are hardly of one site: the store has many photos, and rows reference almost none of them. */
export const isOtherSitesStore = (check: PhotoCheck): boolean =>
  check.orphans.length >= MISMATCH_MIN_ORPHANS && countPresent(check) < check.orphans.length * MISMATCH_SHARE

function describeMismatch(check: PhotoCheck): Finding {
  const present = countPresent(check)
  const named = present === 0 ? 'no nombra ninguna foto' : `nombra ${formatPlural(present, 'foto', 'fotos')}`
  const settings = check.place === 'el bucket' ? 'DATABASE_URL, DATA_DIR y S3_BUCKET' : 'DATABASE_URL y DATA_DIR'
  return failure(
    'fotos sueltas',
    `la base de datos ${named} d${check.place}, y ${check.orphans.length} no las nombra nadie: revisa ${settings}, que parecen de otro sitio; --repair no las toca`,
  )
}

/** The check as findings of the doctor. */
export function toPhotoFindings(check: PhotoCheck): Finding[] {
  if (isOtherSitesStore(check)) return [describeMismatch(check)]
  const { place, waiting, missing, blank, misplaced, orphans, deleted, parts, renders, expired, fresh } = check
  const freshText =
    fresh > 0
      ? `; ${formatPlural(fresh, 'archivo es tan nuevo que puede', 'archivos son tan nuevos que pueden')} estar subiéndose`
      : ''
  return [
    missing.length > 0
      ? failure(
          'fotos',
          `faltan ${missing.length} de ${check.referenced} en ${place} (${formatSome(missing)}); --repair las busca en las copias`,
          true,
        )
      : ok('fotos', `${formatPlural(check.referenced, 'foto, que está', 'fotos, que están')} en ${place}${freshText}`),
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
            `${formatPlural(misplaced.length, 'foto que no está', 'fotos que no están')} donde dice la base (${formatSome(misplaced)}); --repair las devuelve`,
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
    ...(waiting > 0
      ? [
          warning(
            'fotos por borrar',
            `${formatPlural(waiting, 'foto espera', 'fotos esperan')} a que el bucket deje borrarlas o apartarlas; el sitio lo repite cada minuto`,
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
    parts.length + renders.length + expired.length > 0
      ? warning(
          'restos',
          `${parts.length} a medio escribir, ${renders.length} miniaturas de fotos que ya no están, ${expired.length} apartados hace más de un mes`,
          true,
        )
      : ok('restos', 'ninguno'),
  ]
}
