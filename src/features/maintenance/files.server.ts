import { createHash } from 'node:crypto'
import { accessSync, constants, createReadStream, createWriteStream, statSync } from 'node:fs'
import { open, readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

export const DATABASE_FILE = 'perrario.db'
/** What of DATA_DIR a backup holds besides the database: what nobody can make again. A test compares it with the sources. */
export const BACKED_UP = ['photos', 'razas', 'push-keys.json', 'dogs-geo.json'] as const
/** What is left out: made again when needed, of the moment, or a backup itself. */
export const NOT_BACKED_UP = ['cache', 'outbox', 'backups', 'lost'] as const

/** Runs `work` over all items, `width` at a time; the first failure ends it. */
export async function forEachConcurrently<T>(items: Iterable<T>, width: number, work: (item: T) => Promise<void>) {
  const waiting = items[Symbol.iterator]()
  const lane = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: width }, lane))
}

/** The file's sha256 in hex, read as a stream. */
export async function hashFile(file: string): Promise<string> {
  const sum = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) sum.update(chunk as Buffer)
  return sum.digest('hex')
}

/** The sha256 in hex of what a gzipped file holds. */
export async function hashGunzipped(file: string): Promise<string> {
  const sum = createHash('sha256')
  await pipeline(createReadStream(file), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) sum.update(chunk)
  })
  return sum.digest('hex')
}

/**
 * Copies a file through `through`, on the disk when it resolves.
 * @returns the sha256 of what was read
 */
export async function copyFile(from: string, to: string, through: NodeJS.ReadWriteStream[] = []): Promise<string> {
  // Asked first: a stream that fails to open before anyone listens would end the process.
  const mode = (await stat(from)).mode & 0o700
  const sum = createHash('sha256')
  const hashing = new Transform({
    transform(chunk: Buffer, _, done) {
      sum.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline([
    createReadStream(from, { highWaterMark: 256 * 1024 }),
    hashing,
    ...through,
    createWriteStream(to, { mode, flush: true }),
  ])
  return sum.digest('hex')
}

/** Waits until the names in `folder` are on the disk. Where folders cannot be opened (Windows), they look after themselves. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  try {
    await handle?.sync().catch(() => {})
  } finally {
    await handle?.close()
  }
}

/**
 * For `.catch` of a file operation: `value` where nothing lies under that name. Any other error is thrown on: what may not be read is
 * not taken for what is not there.
 */
export const ifAbsent =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return value
    throw error
  }

/** Whether something lies under that name. @throws where the way there may not be walked */
export const isThere = (path: string): Promise<boolean> => stat(path).then(() => true, ifAbsent(false))

/** Every file under `folder`, by its path from there with `/`. Nothing where there is no such folder. */
export async function* walkFiles(folder: string, prefix = ''): AsyncGenerator<string> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true }).catch(ifAbsent([]))
  for (const entry of entries) {
    const path = prefix ? `${prefix}/${entry.name}` : entry.name
    if (entry.isDirectory()) yield* walkFiles(folder, path)
    else if (entry.isFile()) yield path
  }
}

/** The size in bytes, or null where there is no such file. */
export const fileSize = (file: string): Promise<number | null> =>
  stat(file).then((info) => (info.isFile() ? info.size : null), ifAbsent(null))

/** As much of both ends of a file is looked at to tell whether it was written. */
const END_BYTES = 16

/**
 * Whether a file holds nothing: no byte, or NULs at either end, as a power cut leaves what it had not written. True also where there is
 * no such file.
 */
export async function isBlank(file: string): Promise<boolean> {
  const handle = await open(file, 'r').catch(ifAbsent(null))
  try {
    const size = (await handle?.stat())?.size ?? 0
    if (!handle || size === 0) return true
    for (const at of [0, Math.max(0, size - END_BYTES)]) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(END_BYTES), 0, END_BYTES, at)
      if (buffer.subarray(0, bytesRead).every((byte) => byte === 0)) return true
    }
    return false
  } finally {
    await handle?.close()
  }
}

/** Whether the file begins as SQLite's do. Never ask it in a process that has the database open: closing drops its locks. */
export async function isDatabase(file: string): Promise<boolean> {
  const handle = await open(file, 'r').catch(ifAbsent(null))
  try {
    const head = await handle?.read(Buffer.alloc(16), 0, 16, 0)
    return head?.buffer.toString('latin1') === 'SQLite format 3\0'
  } finally {
    await handle?.close()
  }
}

/** Bytes that may still be written where `folder` is. */
export async function freeSpace(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const ERROR_TEXTS: Record<string, string> = {
  ENOSPC: 'no queda sitio en el disco',
  EDQUOT: 'se ha agotado la cuota de disco',
  EFBIG: 'el sistema no deja crecer más los archivos',
  EROFS: 'el disco es de solo lectura',
  EACCES: 'falta permiso',
  EPERM: 'falta permiso',
  EIO: 'el disco no responde bien',
  SQLITE_CANTOPEN: 'no se puede abrir',
  SQLITE_PERM: 'falta permiso',
  SQLITE_FULL: 'no queda sitio en el disco',
  SQLITE_READONLY: 'el disco es de solo lectura',
  SQLITE_CORRUPT: 'la base de datos está dañada',
  SQLITE_NOTADB: 'el archivo no es una base de datos',
  SQLITE_BUSY: 'la base de datos está ocupada',
}

/** Why a file or database operation failed, in Spanish where we know the reason. */
export function explainError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const known = code && (ERROR_TEXTS[code] ?? ERROR_TEXTS[code.split('_').slice(0, 2).join('_')])
  return known ? `${known} (${code})` : message
}

const isDenied = (error: unknown): error is NodeJS.ErrnoException & { path: string } => {
  const { code, path } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  return (code === 'EACCES' || code === 'EPERM') && path !== undefined
}

function mayUse(path: string, mode: number): NodeJS.ErrnoException | null {
  try {
    accessSync(path, mode)
    return null
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}

/** The folder that bars the way to `path`, or else `path`; where nothing is there yet, the folder it would be in. */
function barrierOf(path: string): string {
  let at = resolve(path)
  while (dirname(at) !== at && mayUse(dirname(at), constants.X_OK)?.code === 'EACCES') at = dirname(at)
  return mayUse(at, constants.F_OK)?.code === 'ENOENT' ? dirname(at) : at
}

/**
 * One Spanish sentence, without its full stop, for an error that is a missing permission: where, whose it is, and what to do. Null for
 * any other error.
 * @param paths what was worked on: SQLite says only that it cannot open a file
 */
export function permissionText(error: unknown, paths: readonly string[] = []): string | null {
  const ofSqlite = /^SQLITE_(CANTOPEN|PERM|READONLY|IOERR|AUTH)/.test((error as NodeJS.ErrnoException).code ?? '')
  const denied = ofSqlite
    ? paths.map((path) => mayUse(path, constants.R_OK | constants.W_OK)).find((trouble) => isDenied(trouble))
    : error
  if (!isDenied(denied)) return null
  const path = barrierOf(denied.path)
  const [owner, user] = [statSync(path, { throwIfNoEntry: false })?.uid, process.getuid?.()]
  const whose =
    owner !== undefined && user !== undefined && owner !== user ? `, del usuario ${owner} (este es el ${user})` : ''
  return `falta permiso en ${path}${whose} (${denied.code}): usa el usuario del sitio, o dale permiso de lectura y escritura`
}

/** What SQLite works on besides the database's file. */
export const databasePaths = (file: string): string[] => [dirname(file), file, `${file}-wal`, `${file}-shm`]
