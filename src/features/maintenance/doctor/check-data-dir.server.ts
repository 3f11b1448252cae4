import { constants } from 'node:fs'
import { access, chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
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
import { PREVIOUS_DATA_PREFIX, STAGE_PREFIX } from '#features/maintenance/restore.server.ts'
import { warning, failure, type Finding, ok } from './finding.ts'

const MB = 1_000_000
/** Below the first the site may stop taking photos within days, below the second any moment. */
const LOW_SPACE_BYTES = 2000 * MB
const CRITICAL_SPACE_BYTES = 300 * MB
/** The log is folded into the database at 16 MB and cut at 64; far above, something keeps it from being folded. */
const LARGE_WAL_BYTES = 256 * MB

/** Where the data lies: rights, room, the log, restores. */
export async function checkDataDir(dataDir: string, isServed: boolean): Promise<Finding[]> {
  return [
    await checkPermissions(dataDir),
    await checkFreeSpace(dataDir),
    await checkWal(dataDir, isServed),
    await checkRestores(dataDir),
  ]
}

async function checkPermissions(dataDir: string): Promise<Finding> {
  for (const name of ['', DATABASE_FILE, 'photos']) {
    const error = await access(join(dataDir, name), constants.R_OK | constants.W_OK).then(
      () => null,
      (error: NodeJS.ErrnoException) => error,
    )
    // Without photos there is no folder yet.
    if (error && !(name === 'photos' && error.code === 'ENOENT'))
      return failure(
        'permisos',
        permissionText(error) ?? `no se puede escribir en ${join(dataDir, name)}: ${explainError(error)}`,
      )
  }
  const open = await listReadableByOthers(dataDir)
  const what = open.length > 3 ? formatPlural(open.length, 'archivo', 'archivos') : open.join(', ')
  if (open.length > 0) return warning('permisos', `otros usuarios de esta máquina pueden leer ${what}`, true)
  return ok('permisos', 'se puede leer y escribir')
}

/**
 * What others may read or enter, by its place in the data; the folder itself is «.».
 * @param behindClosed whether also what lies in a folder that is closed to them, so that nobody reaches it
 */
async function listReadableByOthers(dataDir: string, behindClosed = false): Promise<string[]> {
  if (process.platform === 'win32') return []
  const open: string[] = []
  const look = async (name: string): Promise<void> => {
    const path = join(dataDir, name)
    const info = await lstat(path).catch(ifAbsent(null))
    // Gone meanwhile, or a link, which has no rights of its own.
    if (!info || info.isSymbolicLink()) return
    if (info.mode & 0o077) open.push(name)
    if (!info.isDirectory() || !(behindClosed || info.mode & 0o011)) return
    for (const child of await readdir(path).catch(ifAbsent([]))) await look(name === '.' ? child : join(name, child))
  }
  await look('.')
  return open
}

/** Takes from others what only the site should read, also where a closed folder bars the way today. */
export async function repairPermissions(dataDir: string): Promise<string[]> {
  const open = await listReadableByOthers(dataDir, true)
  for (const name of open) {
    const { mode } = await lstat(join(dataDir, name))
    await chmod(join(dataDir, name), mode & 0o700)
  }
  if (open.length === 0) return []
  if (open.length > 3)
    return [`${formatPlural(open.length, 'archivo ya solo lo lee', 'archivos ya solo los lee')} el sitio`]
  return open.map((name) => `${name} ya solo lo lee el sitio`)
}

async function checkFreeSpace(dataDir: string): Promise<Finding> {
  const free = await freeSpace(dataDir)
  if (free < CRITICAL_SPACE_BYTES) return failure('disco', `quedan ${formatBytes(free)}: el sitio dejará de guardar`)
  if (free < LOW_SPACE_BYTES) return warning('disco', `quedan ${formatBytes(free)}`)
  return ok('disco', `quedan ${formatBytes(free)}`)
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
  const aside = names.filter((name) => name.startsWith(PREVIOUS_DATA_PREFIX))
  if (aside.length > 0)
    return ok(
      'restauración',
      `${formatPlural(aside.length, 'carpeta guarda', 'carpetas guardan')} lo que había antes (${aside.at(-1)})`,
    )
  return ok('restauración', 'ninguna pendiente')
}
