import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

export const DATABASE = 'perrario.db'
/** What of DATA_DIR a backup holds besides the database: what nobody can make again. A test compares it with the sources. */
export const KEPT = ['photos', 'razas', 'push-keys.json', 'dogs-geo.json'] as const
/** What is left out: made again when needed, of the moment, or a backup itself. */
export const LEFT_OUT = ['cache', 'outbox', 'backups', 'lost'] as const

/** Runs `work` over all items, `width` at a time; the first failure ends it. */
export async function inParallel<T>(items: Iterable<T>, width: number, work: (item: T) => Promise<void>) {
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
export async function hashUnpacked(file: string): Promise<string> {
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

/** Every file under `folder`, by its path from there with `/`. Nothing where there is no such folder. */
export async function* walk(folder: string, prefix = ''): AsyncGenerator<string> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = prefix ? `${prefix}/${entry.name}` : entry.name
    if (entry.isDirectory()) yield* walk(folder, path)
    else if (entry.isFile()) yield path
  }
}

/** The size in bytes, or null where there is no such file. */
export const sizeOf = (file: string): Promise<number | null> =>
  stat(file).then(
    (info) => (info.isFile() ? info.size : null),
    () => null,
  )

/** Whether the file begins as SQLite's do. Never ask it in a process that has the database open: closing drops its locks. */
export async function isDatabase(file: string): Promise<boolean> {
  const handle = await open(file, 'r').catch(() => null)
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

const REASONS: Record<string, string> = {
  ENOSPC: 'no queda sitio en el disco',
  EDQUOT: 'se ha agotado la cuota de disco',
  EFBIG: 'el sistema no deja crecer más los archivos',
  EROFS: 'el disco es de solo lectura',
  EACCES: 'falta permiso',
  EPERM: 'falta permiso',
  EIO: 'el disco no responde bien',
  SQLITE_FULL: 'no queda sitio en el disco',
  SQLITE_READONLY: 'el disco es de solo lectura',
  SQLITE_CORRUPT: 'la base de datos está dañada',
  SQLITE_NOTADB: 'el archivo no es una base de datos',
  SQLITE_BUSY: 'la base de datos está ocupada',
}

/** Why a file or database operation failed, in Spanish where we know the reason. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const known = code && (REASONS[code] ?? REASONS[code.split('_').slice(0, 2).join('_')])
  return known ? `${known} (${code})` : message
}
