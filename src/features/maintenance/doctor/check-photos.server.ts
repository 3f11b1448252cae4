import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Db } from '#db/client.ts'
import * as contents from '#features/maintenance/database-contents.server.ts'
import { ifAbsent } from '#features/maintenance/files.server.ts'
import { formatPlural } from '#features/maintenance/maintenance.ts'
import { photoKey } from '#features/photos/files.server.ts'
import { LocalPhotoStore } from '#features/storage/local-store.server.ts'
import { photoStore, type StoredFile } from '#features/storage/photo-store.server.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { failure, type Finding, formatSome, ok, repairable, warning } from './finding.ts'

/** How long unreferenced photos stay in `DATA_DIR/lost`: a mistake can be undone, and deleted photos are gone in the end. */
const LOST_RETENTION_MS = 30 * DAY_MS

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
  // The store is read before the rows, so that the rows include a photo that is uploaded in between.
  const stored = new Map<string, StoredFile>()
  for await (const file of store.list('photos/')) stored.set(file.key.slice('photos/'.length), file)
  const referenced = await contents.listReferencedPhotos(db)
  const moves = await contents.listPhotoMoves(db)
  const removed = new Set(moves.flatMap(({ action, name }) => (action === 'remove' ? [name] : [])))
  const renders = await readdir(join(dataDir, 'cache', 'photos')).catch(ifAbsent([]))
  const check: PhotoCheck = {
    place: store.isRemote ? 'el bucket' : 'el disco',
    referenced: referenced.size,
    missing: [],
    blank: [],
    misplaced: [],
    orphans: [],
    waiting: store.isRemote ? moves.filter(({ due_at }) => due_at <= now).length : 0,
    deleted: [],
    parts: [],
    renders: renders.filter((name) => !referenced.has(name) && !stored.has(name)),
    fresh: 0,
    expired: [],
  }
  const isStored = async (name: string) => (await store.size(photoKey(name))) !== null
  for (const name of referenced) {
    const former = contents.otherPhotoPath(name)
    let fault: 'missing' | 'blank' | 'misplaced' | null = null
    // The store is asked again: photos are uploaded and moved meanwhile.
    if (stored.get(former)?.bytes) fault = (await isStored(former)) ? 'misplaced' : null
    else if (!stored.has(name) && !(await isStored(name))) fault = 'missing'
    else if (await store.isBlank(photoKey(name))) fault = 'blank'
    // One that was deleted in between is no longer referenced.
    if (fault && (await contents.isPhotoReferenced(db, name))) check[fault].push(name)
  }
  const addIfOld = (entry: string, modifiedAt: number | null, list: string[]) => {
    if (!mayBeServed || (modifiedAt !== null && now - modifiedAt > HOUR_MS)) list.push(entry)
    else check.fresh++
  }
  for (const [name, { key, modifiedAt }] of stored)
    if (UNFINISHED_NAME.test(name)) addIfOld(key, modifiedAt, check.parts)
    else if (referenced.has(name) || referenced.has(contents.otherPhotoPath(name))) continue
    else if (!removed.has(basename(name))) addIfOld(name, modifiedAt, check.orphans)
    // A running server deletes it itself.
    else if (!mayBeServed) check.deleted.push(key)
  for (const name of (await readdir(dataDir)).filter((each) => UNFINISHED_NAME.test(each))) {
    const info = await stat(join(dataDir, name)).catch(() => null)
    addIfOld(name, info?.mtimeMs ?? null, check.parts)
  }
  for (const prefix of ['outbox/', 'cache/'])
    for await (const { key, modifiedAt } of new LocalPhotoStore(dataDir).list(prefix))
      if (UNFINISHED_NAME.test(basename(key))) addIfOld(key, modifiedAt, check.parts)
  for await (const { key, modifiedAt } of store.list('lost/'))
    if (now - modifiedAt > LOST_RETENTION_MS) check.expired.push(key)
  return check
}

const countPresent = ({ referenced, missing }: PhotoCheck): number => referenced - missing.length

/** Whether database and store are hardly of one site: the store has many photos, and rows reference almost none of them. */
export const isOtherSitesStore = (check: PhotoCheck): boolean =>
  check.orphans.length >= MISMATCH_MIN_ORPHANS && countPresent(check) < check.orphans.length * MISMATCH_SHARE

/** The check as findings of the doctor. */
export function toPhotoFindings(check: PhotoCheck): Finding[] {
  const { place, referenced, waiting, missing, blank, misplaced, orphans, deleted, parts, renders, expired, fresh } =
    check
  if (isOtherSitesStore(check)) {
    const present = countPresent(check)
    const named = present === 0 ? 'no nombra ninguna foto' : `nombra ${formatPlural(present, 'foto', 'fotos')}`
    const settings = place === 'el bucket' ? 'DATABASE_URL, DATA_DIR y S3_BUCKET' : 'DATABASE_URL y DATA_DIR'
    const text = `la base de datos ${named} d${place}, y ${orphans.length} no las nombra nadie: revisa ${settings}, que parecen de otro sitio; --repair no las toca`
    return [failure('fotos sueltas', text)]
  }
  const freshText = formatPlural(fresh, 'archivo es tan nuevo que puede', 'archivos son tan nuevos que pueden')
  const presentText = formatPlural(referenced, 'foto, que está', 'fotos, que están')
  const findings = [ok('fotos', `${presentText} en ${place}${fresh > 0 ? `; ${freshText} estar subiéndose` : ''}`)]
  if (missing.length > 0) {
    const text = `faltan ${missing.length} de ${referenced} en ${place} (${formatSome(missing)})`
    findings[0] = repairable(failure('fotos', `${text}; --repair las busca en las copias`))
  }
  if (blank.length > 0) {
    const text = formatPlural(blank.length, 'archivo está vacío o lleno', 'archivos están vacíos o llenos')
    const detail = `${text} de ceros (${formatSome(blank)}); --repair los busca en las copias`
    findings.push(repairable(failure('fotos vacías', detail)))
  }
  if (misplaced.length > 0) {
    const text = formatPlural(misplaced.length, 'foto que no está', 'fotos que no están')
    const detail = `${text} donde dice la base (${formatSome(misplaced)}); --repair las devuelve`
    findings.push(repairable(warning('fotos fuera de sitio', detail)))
  }
  if (deleted.length > 0) {
    const text = formatPlural(deleted.length, 'foto borrada que sigue', 'fotos borradas que siguen')
    const detail = `${text} en el disco (${formatSome(deleted)}); al arrancar se quitan`
    findings.push(repairable(warning('fotos por borrar', detail)))
  }
  if (waiting > 0) {
    const text = `${formatPlural(waiting, 'foto espera', 'fotos esperan')} a que el bucket deje borrarlas o apartarlas`
    findings.push(warning('fotos por borrar', `${text}; el sitio lo repite`))
  }
  const orphansText = formatPlural(orphans.length, 'archivo que nadie nombra', 'archivos que nadie nombra')
  const left = `${parts.length} a medio escribir, ${renders.length} miniaturas de fotos que ya no están, ${expired.length} apartados hace más de un mes`
  const isClean = parts.length + renders.length + expired.length === 0
  return [
    ...findings,
    orphans.length > 0
      ? repairable(warning('fotos sueltas', `${orphansText} (${formatSome(orphans)})`))
      : ok('fotos sueltas', 'ninguna'),
    isClean ? ok('restos', 'ninguno') : repairable(warning('restos', left)),
  ]
}
