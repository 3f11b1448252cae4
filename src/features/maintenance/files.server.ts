import { createHash, hash } from 'node:crypto'
import { accessSync, constants, createReadStream, createWriteStream, statSync } from 'node:fs'
import { mkdir, open, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describePostgresFault } from '#db/dialect/postgres/connect.ts'
import { NewerDatabaseError, PostgresUnusableError } from '#db/errors.ts'
import { ifAbsent } from '#features/storage/files.server.ts'
import { StoreUnavailableError } from '#features/storage/store-unavailable.ts'
import { formatBytes, MaintenanceError } from './maintenance.ts'
import { errorCode } from '#lib/error-code.ts'
import { storageErrorText } from '#lib/storage-error-text.ts'

export { fileSize, ifAbsent, isBlank } from '#features/storage/files.server.ts'

export const DATABASE_FILE = 'perrario.db'
/** What a backup contains of DATA_DIR besides the database where the photos and the operator's pictures are in a bucket. */
export const LOCAL_BACKED_UP = ['push-keys.json', 'riddle.key', 'dogs-geo.json'] as const
/** The same with these: everything irreplaceable. A test compares it with the sources. */
export const BACKED_UP = ['photos', 'razas', ...LOCAL_BACKED_UP] as const
/** What a backup leaves out: caches, temporary files, the backups themselves, a key of codes that live for minutes, and what the site has noticed. */
export const NOT_BACKED_UP = ['cache', 'outbox', 'backups', 'lost', 'sign-in.key', 'warnings.json'] as const

/** The sha256 in hex of a file, or of what `transform` makes of it. */
export async function hashFile(file: string, transform: NodeJS.ReadWriteStream = new PassThrough()): Promise<string> {
  const sum = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 256 * 1024 }), transform, async (chunks) => {
    for await (const chunk of chunks) sum.update(chunk)
  })
  return sum.digest('hex')
}

export const hashBytes = (bytes: Uint8Array | string): string => hash('sha256', bytes)

/**
 * Copies a file through `transform` into a folder that need not exist, readable by its owner alone, and flushes the copy to the disk.
 * @returns the sha256 in hex of the source
 */
export async function copyFile(
  from: string,
  to: string,
  transform: NodeJS.ReadWriteStream = new PassThrough(),
): Promise<string> {
  // Before the streams: one that fails to open before it has a listener would end the process.
  // A backup may be read-only.
  const mode = ((await stat(from)).mode & 0o700) | 0o600
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const sum = createHash('sha256')
  const source = createReadStream(from, { highWaterMark: 256 * 1024 })
  source.on('data', (chunk) => sum.update(chunk))
  await pipeline(source, transform, createWriteStream(to, { mode, flush: true }))
  return sum.digest('hex')
}

/** Flushes a folder's entries to the disk. Does nothing where folders cannot be opened (Windows). */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

/** Whether the path exists. @throws where a folder on the path is not accessible */
export const isThere = (path: string): Promise<boolean> => stat(path).then(() => true, ifAbsent(false))

/**
 * Whether the file begins with SQLite's header. Never call it in a process that has the database open: closing the file releases its
 * locks (POSIX).
 */
export async function isDatabase(file: string): Promise<boolean> {
  const handle = await open(file, 'r').catch(ifAbsent(null))
  try {
    const header = await handle?.read(Buffer.alloc(16), 0, 16, 0)
    return header?.buffer.toString('latin1') === 'SQLite format 3\0'
  } finally {
    await handle?.close()
  }
}

/** @param purpose what takes the space, in Spanish @throws MaintenanceError where the disk of `folder` has less */
export async function assertFreeSpace(folder: string, requiredBytes: number, purpose = ''): Promise<void> {
  const freeBytes = await freeSpace(folder)
  if (freeBytes >= requiredBytes) return
  const required = `hacen falta ${formatBytes(requiredBytes)} y quedan ${formatBytes(freeBytes)}`
  throw new MaintenanceError(`no queda sitio${purpose}: ${required}.`)
}

/** Free bytes on the disk of `folder`. */
export async function freeSpace(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** `storageErrorText` of an operation that may need the bucket, too. */
export function explainError(error: unknown): string {
  if (error instanceof StoreUnavailableError) return `el bucket de las fotos no responde (${error.reason})`
  return storageErrorText(error)
}

const isDenied = (error: unknown): error is NodeJS.ErrnoException & { path: string } =>
  /^(?:EACCES|EPERM)$/.test(errorCode(error)) && (error as NodeJS.ErrnoException).path !== undefined

/** @returns the error of an access with `mode`; null where it is permitted */
function accessError(path: string, mode: number): NodeJS.ErrnoException | null {
  try {
    accessSync(path, mode)
    return null
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}

/** Why nothing can be written into a folder, in Spanish; null where it can. Of one that does not exist its nearest folder counts. */
export function findWriteFault(folder: string): string | null {
  const path = resolve(folder)
  const error = accessError(path, constants.W_OK | constants.X_OK)
  if (error?.code === 'ENOENT' && dirname(path) !== path) return findWriteFault(dirname(path))
  if (error) return permissionText(error) ?? explainError(error)
  return statSync(path).isDirectory() ? null : `${path} no es una carpeta`
}

/** What has to be given permission: the outermost folder that cannot be entered, else the path itself, or its folder where it does not exist. */
function findInaccessible(path: string): string {
  let at = resolve(path)
  while (dirname(at) !== at && accessError(dirname(at), constants.X_OK)?.code === 'EACCES') at = dirname(at)
  return accessError(at, constants.F_OK)?.code === 'ENOENT' ? dirname(at) : at
}

/**
 * Explains a missing permission in one Spanish sentence without its full stop: path, owner and remedy. Null for any other error.
 * @param paths the paths that were used: SQLite's errors name none
 */
export function permissionText(error: unknown, paths: readonly string[] = []): string | null {
  const isFromSqlite = /^SQLITE_(CANTOPEN|PERM|READONLY|IOERR|AUTH)/.test(errorCode(error))
  const denied = isFromSqlite
    ? paths.map((path) => accessError(path, constants.R_OK | constants.W_OK)).find((failure) => isDenied(failure))
    : error
  if (!isDenied(denied)) return null
  const path = findInaccessible(denied.path)
  const [owner, user] = [statSync(path, { throwIfNoEntry: false })?.uid, process.getuid?.()]
  const ownerText =
    owner !== undefined && user !== undefined && owner !== user ? `, del usuario ${owner} (este es el ${user})` : ''
  return `falta permiso en ${path}${ownerText} (${denied.code}): usa el usuario del sitio, o dale permiso de lectura y escritura`
}

/** The paths that SQLite uses for the database of a folder, for `permissionText`. */
export const databasePaths = (file: string): string[] => [dirname(file), file, `${file}-wal`, `${file}-shm`]

/** The operator's sentence for a failure that they can mend; null for any other. @param paths as of `permissionText` */
export function explainFailure(error: unknown, paths: readonly string[] = []): string | null {
  if ([MaintenanceError, PostgresUnusableError, NewerDatabaseError].some((kind) => error instanceof kind))
    return (error as Error).message
  const denied = permissionText(error, paths)
  if (denied !== null) return `${denied}.`
  if (error instanceof StoreUnavailableError) return `${explainError(error)}.`
  const fault = describePostgresFault(error)
  return fault === null ? null : `PostgreSQL: ${fault}`
}

/**
 * Runs a command's work. What cuts it becomes one sentence that begins with `what`.
 * @param paths as of `permissionText` @param advice a sentence that follows, with the space before it
 * @throws MaintenanceError
 */
export async function explaining<T>(
  what: string,
  paths: readonly string[],
  work: () => Promise<T>,
  advice = '',
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof MaintenanceError || error instanceof NewerDatabaseError) throw error
    const reason = explainFailure(error, paths) ?? `${explainError(error)}.`
    throw new MaintenanceError(`${what}: ${reason}${advice}`, { cause: error })
  }
}
