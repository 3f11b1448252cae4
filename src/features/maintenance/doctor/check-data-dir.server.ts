import { constants } from 'node:fs'
import { access, chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '#db/client.ts'
import * as files from '#features/maintenance/files.server.ts'
import { isHalfRestored } from '#features/maintenance/lock.server.ts'
import { formatBytes, formatPlural } from '#features/maintenance/maintenance.ts'
import { MOVING_FILE } from '#features/maintenance/move/move-database.server.ts'
import { findLocalPhotos } from '#features/maintenance/move/move-photos.server.ts'
import { PREVIOUS_DATA_PREFIX, STAGE_PREFIX } from '#features/maintenance/restore.server.ts'
import { readDailyUse } from '#features/photos/daily-budget.server.ts'
import { STORED_BYTES, type StorageLimits } from '#features/photos/storage-budget.server.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'
import { failure, type Finding, ok, repairable, warning } from './finding.ts'

const MB = 1_000_000
/** Below `LOW_SPACE_BYTES` the disk may be full within days, below `CRITICAL_SPACE_BYTES` at any moment. */
const LOW_SPACE_BYTES = 2000 * MB
const CRITICAL_SPACE_BYTES = 300 * MB
/** The WAL is checkpointed at 16 MB and truncated at 64 MB; far above, an open reader prevents the checkpoint. */
const LARGE_WAL_BYTES = 256 * MB

export interface DataDirUse {
  isServed: boolean
  storage: StorageLimits
  /** Whether the database is the file in this folder. */
  hasDatabase: boolean
}

/** Checks the data's folder: permissions, disk space, the database's WAL, interrupted restores, moves and what they left. */
export async function checkDataDir(
  dataDir: string,
  { isServed, storage, hasDatabase }: DataDirUse,
): Promise<Finding[]> {
  const findings = [
    await checkPermissions(dataDir, hasDatabase ? ['', files.DATABASE_FILE, 'photos'] : ['', 'photos']),
    await checkFreeSpace(dataDir, storage, hasDatabase),
  ]
  if (hasDatabase) {
    const size = (await files.fileSize(join(dataDir, `${files.DATABASE_FILE}-wal`))) ?? 0
    const large = `el de la base de datos (-wal) pesa ${formatBytes(size)}: algo la tiene abierta sin soltarla`
    const text = size > 0 && !isServed ? 'quedó de un cierre brusco y está recogido' : formatBytes(size)
    findings.push(size > LARGE_WAL_BYTES ? repairable(warning('registro', large)) : ok('registro', text))
  }
  findings.push(await checkRestores(dataDir))
  if ((await files.fileSize(join(dataDir, MOVING_FILE))) !== null) {
    const remedy = `repite npm run move -- --from, o borra ${MOVING_FILE} y lo suyo`
    findings.push(warning('mudanza', `una hasta aquí no acabó: ${remedy}`))
  } else if (!hasDatabase && (await files.fileSize(join(dataDir, files.DATABASE_FILE))) !== null) {
    const risk = 'guarda lo que los miembros borran desde entonces; bórrala cuando no la necesites'
    const text = `${files.DATABASE_FILE} sigue en ${dataDir}: el sitio ya no la usa, y ${risk}`
    findings.push(warning('base de datos anterior', text))
  }
  return [...findings, ...(await checkFormerPhotos(dataDir))]
}

async function checkPermissions(dataDir: string, names: readonly string[]): Promise<Finding> {
  for (const path of names.map((name) => join(dataDir, name))) {
    const error = await access(path, constants.R_OK | constants.W_OK).then(
      () => null,
      (reason: NodeJS.ErrnoException) => reason,
    )
    // The folder of photos exists from the first photo on.
    if (error && !(path.endsWith('photos') && error.code === 'ENOENT'))
      return failure(
        'permisos',
        files.permissionText(error) ?? `no se puede escribir en ${path}: ${files.explainError(error)}`,
      )
  }
  const readable = await listReadableByOthers(dataDir)
  const filesText = readable.length > 3 ? formatPlural(readable.length, 'archivo', 'archivos') : readable.join(', ')
  if (readable.length === 0) return ok('permisos', 'se puede leer y escribir')
  return repairable(warning('permisos', `otros usuarios de esta máquina pueden leer ${filesText}`))
}

/**
 * Lists what other users may read or enter, by its path under `dataDir`; the folder itself is «.».
 * @param isThorough whether to include what is inside closed folders, where others cannot reach it
 */
async function listReadableByOthers(dataDir: string, isThorough = false): Promise<string[]> {
  if (process.platform === 'win32') return []
  const readable: string[] = []
  const visit = async (name: string): Promise<void> => {
    const path = join(dataDir, name)
    const info = await lstat(path).catch(files.ifAbsent(null))
    // It was deleted meanwhile, or is a link, which has no permissions of its own.
    if (!info || info.isSymbolicLink()) return
    if (info.mode & 0o077) readable.push(name)
    if (!info.isDirectory() || !(isThorough || info.mode & 0o011)) return
    for (const child of await readdir(path).catch(files.ifAbsent([])))
      await visit(name === '.' ? child : join(name, child))
  }
  await visit('.')
  return readable
}

/** Removes other users' permissions, also inside closed folders. @returns what was done, in Spanish sentences */
export async function repairPermissions(dataDir: string): Promise<string[]> {
  const readable = await listReadableByOthers(dataDir, true)
  for (const path of readable.map((name) => join(dataDir, name))) await chmod(path, (await lstat(path)).mode & 0o700)
  if (readable.length <= 3) return readable.map((name) => `${name} ya solo lo lee el sitio`)
  return [`${formatPlural(readable.length, 'archivo ya solo lo lee', 'archivos ya solo los lee')} el sitio`]
}

async function checkFreeSpace(
  dataDir: string,
  { minFreeBytes }: StorageLimits,
  hasDatabase: boolean,
): Promise<Finding> {
  const freeBytes = await files.freeSpace(dataDir)
  const text = `quedan ${formatBytes(freeBytes)}`
  // What the site stores is elsewhere: only the cache of photos has no space.
  if (!hasDatabase && photoStore(dataDir).isRemote && freeBytes < Math.max(minFreeBytes, CRITICAL_SPACE_BYTES))
    return warning('disco', `${text}: esta máquina no guarda miniaturas, y las hace cada vez`)
  const refused = hasDatabase ? 'nada nuevo' : 'fotos nuevas'
  if (freeBytes < minFreeBytes) return failure('disco', `${text}, menos que MIN_FREE_MB: el sitio no guarda ${refused}`)
  if (freeBytes < CRITICAL_SPACE_BYTES) return failure('disco', `${text}: el sitio dejará de guardar`)
  return freeBytes < LOW_SPACE_BYTES ? warning('disco', text) : ok('disco', text)
}

/** Share of the day's photos from which the operator is warned. */
const BUDGET_WARNING_SHARE = 0.8

/** What is used of SITE_UPLOAD_MB_PER_DAY; nothing where there is no limit. */
export async function checkStorageBudget(
  db: Db,
  { siteUploadBytesPerDay: budget }: StorageLimits,
  now: number,
): Promise<Finding[]> {
  if (budget === 0) return []
  const used = await readDailyUse(db, STORED_BYTES, now)
  const detail = `${formatBytes(used)} de ${formatBytes(budget)} (SITE_UPLOAD_MB_PER_DAY)`
  return [used >= budget * BUDGET_WARNING_SHARE ? warning('fotos de hoy', detail) : ok('fotos de hoy', detail)]
}

async function checkRestores(dataDir: string): Promise<Finding> {
  if (isHalfRestored(dataDir)) return failure('restauración', 'una se quedó a medias: repite npm run restore')
  const names = await readdir(dataDir)
  if (names.some((name) => name.startsWith(STAGE_PREFIX)))
    return repairable(warning('restauración', 'quedan restos de una que no acabó'))
  const previous = names.filter((name) => name.startsWith(PREVIOUS_DATA_PREFIX))
  const folders = formatPlural(previous.length, 'carpeta guarda', 'carpetas guardan')
  return ok('restauración', previous[0] ? `${folders} lo que había antes (${previous.at(-1)})` : 'ninguna pendiente')
}

/** The photos that a move to a bucket has left. Nothing where they may not be read: `permisos` says so. */
async function checkFormerPhotos(dataDir: string): Promise<Finding[]> {
  if (!photoStore(dataDir).isRemote) return []
  const left = await findLocalPhotos(dataDir).catch((error: unknown) => {
    if (files.permissionText(error) === null) throw error
    return { files: 0, folders: [] }
  })
  if (left.files === 0) return []
  const text = `${formatPlural(left.files, 'foto sigue', 'fotos siguen')} en ${left.folders.join(' y ')}: el sitio ya usa las del bucket, y ahí queda lo que los miembros borran desde entonces; bórralas cuando no las necesites`
  return [warning('fotos anteriores', text)]
}
