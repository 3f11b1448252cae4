import { constants } from 'node:fs'
import { access, chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '#db/client.ts'
import { readDailyUse } from '#features/photos/daily-budget.server.ts'
import { STORED_BYTES, type StorageLimits } from '#features/photos/storage-budget.server.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'
import { formatBytes, formatPlural } from '#features/maintenance/maintenance.ts'
import {
  DATABASE_FILE,
  freeSpace,
  ifAbsent,
  permissionText,
  explainError,
  fileSize,
} from '#features/maintenance/files.server.ts'
import { isHalfRestored } from '#features/maintenance/lock.server.ts'
import { MOVING_FILE } from '#features/maintenance/move/move-database.server.ts'
import { findLocalPhotos } from '#features/maintenance/move/move-photos.server.ts'
import { PREVIOUS_DATA_PREFIX, STAGE_PREFIX } from '#features/maintenance/restore.server.ts'
import { warning, failure, type Finding, ok } from './finding.ts'

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
  return [
    await checkPermissions(dataDir, hasDatabase ? ['', DATABASE_FILE, 'photos'] : ['', 'photos']),
    await checkFreeSpace(dataDir, storage, hasDatabase),
    ...(hasDatabase ? [await checkWal(dataDir, isServed)] : []),
    await checkRestores(dataDir),
    ...(await checkMoves(dataDir, hasDatabase)),
    ...(await checkFormerPhotos(dataDir)),
  ]
}

async function checkPermissions(dataDir: string, names: readonly string[]): Promise<Finding> {
  for (const name of names) {
    const error = await access(join(dataDir, name), constants.R_OK | constants.W_OK).then(
      () => null,
      (error: NodeJS.ErrnoException) => error,
    )
    // The folder of photos exists from the first photo on.
    if (error && !(name === 'photos' && error.code === 'ENOENT'))
      return failure(
        'permisos',
        permissionText(error) ?? `no se puede escribir en ${join(dataDir, name)}: ${explainError(error)}`,
      )
  }
  const readable = await listReadableByOthers(dataDir)
  const filesText = readable.length > 3 ? formatPlural(readable.length, 'archivo', 'archivos') : readable.join(', ')
  if (readable.length > 0) return warning('permisos', `otros usuarios de esta máquina pueden leer ${filesText}`, true)
  return ok('permisos', 'se puede leer y escribir')
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
    const info = await lstat(path).catch(ifAbsent(null))
    // It was deleted meanwhile, or is a link, which has no permissions of its own.
    if (!info || info.isSymbolicLink()) return
    if (info.mode & 0o077) readable.push(name)
    if (!info.isDirectory() || !(isThorough || info.mode & 0o011)) return
    for (const child of await readdir(path).catch(ifAbsent([]))) await visit(name === '.' ? child : join(name, child))
  }
  await visit('.')
  return readable
}

/** Removes other users' permissions, also inside closed folders. @returns what was done, in Spanish sentences */
export async function repairPermissions(dataDir: string): Promise<string[]> {
  const readable = await listReadableByOthers(dataDir, true)
  for (const name of readable) {
    const { mode } = await lstat(join(dataDir, name))
    await chmod(join(dataDir, name), mode & 0o700)
  }
  if (readable.length === 0) return []
  if (readable.length > 3)
    return [`${formatPlural(readable.length, 'archivo ya solo lo lee', 'archivos ya solo los lee')} el sitio`]
  return readable.map((name) => `${name} ya solo lo lee el sitio`)
}

async function checkFreeSpace(
  dataDir: string,
  { minFreeBytes }: StorageLimits,
  hasDatabase: boolean,
): Promise<Finding> {
  const freeBytes = await freeSpace(dataDir)
  // What the site stores is elsewhere: only the cache of photos has no space.
  if (!hasDatabase && photoStore(dataDir).isRemote && freeBytes < Math.max(minFreeBytes, CRITICAL_SPACE_BYTES))
    return warning('disco', `quedan ${formatBytes(freeBytes)}: esta máquina no guarda miniaturas, y las hace cada vez`)
  if (freeBytes < minFreeBytes)
    return failure(
      'disco',
      `quedan ${formatBytes(freeBytes)}, menos que MIN_FREE_MB: el sitio no guarda ${hasDatabase ? 'nada nuevo' : 'fotos nuevas'}`,
    )
  if (freeBytes < CRITICAL_SPACE_BYTES)
    return failure('disco', `quedan ${formatBytes(freeBytes)}: el sitio dejará de guardar`)
  if (freeBytes < LOW_SPACE_BYTES) return warning('disco', `quedan ${formatBytes(freeBytes)}`)
  return ok('disco', `quedan ${formatBytes(freeBytes)}`)
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

async function checkWal(dataDir: string, isServed: boolean): Promise<Finding> {
  const size = (await fileSize(join(dataDir, `${DATABASE_FILE}-wal`))) ?? 0
  if (size > LARGE_WAL_BYTES)
    return warning(
      'registro',
      `el de la base de datos (-wal) pesa ${formatBytes(size)}: algo la tiene abierta sin soltarla`,
      true,
    )
  if (size > 0 && !isServed) return ok('registro', 'quedó de un cierre brusco y está recogido')
  return ok('registro', formatBytes(size))
}

async function checkRestores(dataDir: string): Promise<Finding> {
  if (isHalfRestored(dataDir)) return failure('restauración', 'una se quedó a medias: repite npm run restore')
  const names = await readdir(dataDir)
  if (names.some((name) => name.startsWith(STAGE_PREFIX)))
    return warning('restauración', 'quedan restos de una que no acabó', true)
  const previousData = names.filter((name) => name.startsWith(PREVIOUS_DATA_PREFIX))
  if (previousData.length > 0)
    return ok(
      'restauración',
      `${formatPlural(previousData.length, 'carpeta guarda', 'carpetas guardan')} lo que había antes (${previousData.at(-1)})`,
    )
  return ok('restauración', 'ninguna pendiente')
}

/** The database's file that a move from PostgreSQL has not finished, or that one to PostgreSQL has left. */
async function checkMoves(dataDir: string, hasDatabase: boolean): Promise<Finding[]> {
  if ((await fileSize(join(dataDir, MOVING_FILE))) !== null)
    return [
      warning('mudanza', `una hasta aquí no acabó: repite npm run move -- --from, o borra ${MOVING_FILE} y lo suyo`),
    ]
  if (hasDatabase || (await fileSize(join(dataDir, DATABASE_FILE))) === null) return []
  return [
    warning(
      'base de datos anterior',
      `${DATABASE_FILE} sigue en ${dataDir}: el sitio ya no la usa, y guarda lo que los miembros borran desde entonces; bórrala cuando no la necesites`,
    ),
  ]
}

/** The photos that a move to a bucket has left. Nothing where they may not be read: `permisos` says so. */
async function checkFormerPhotos(dataDir: string): Promise<Finding[]> {
  if (!photoStore(dataDir).isRemote) return []
  const { files, folders } = await findLocalPhotos(dataDir).catch((error: unknown) => {
    if (permissionText(error) === null) throw error
    return { files: 0, folders: [] }
  })
  if (files === 0) return []
  return [
    warning(
      'fotos anteriores',
      `${formatPlural(files, 'foto sigue', 'fotos siguen')} en ${folders.join(' y ')}: el sitio ya usa las del bucket, y ahí queda lo que los miembros borran desde entonces; bórralas cuando no las necesites`,
    ),
  ]
}
