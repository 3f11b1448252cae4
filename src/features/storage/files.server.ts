import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '#lib/error-code.ts'

const PART_MAX_AGE_MS = 3_600_000
/** The end of a temporary file's name. */
export const PART_SUFFIX = '.part'
const cleanedFolders = new Set<string>()

/**
 * Creates a folder and its missing parents. On a read-only disk Node's own recursive call says that the folder does not exist (ENOENT): a
 * plain call has the reason.
 * @returns the first folder that was created; undefined where all exist
 * @throws what the file system throws
 */
export async function makeFolder(folder: string, mode?: number): Promise<string | undefined> {
  try {
    return await mkdir(folder, { recursive: true, ...(mode !== undefined && { mode }) })
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(folder) === folder) throw error
    const first = await makeFolder(dirname(folder), mode)
    await mkdir(folder, mode)
    return first ?? folder
  }
}

/**
 * Writes `data` to a temporary file and renames it, so that no reader sees half of it, also after a crash.
 * @param options.durable waits for the disk (fdatasync), so that a power cut cannot empty the file either: worth its
 *   milliseconds for a photo, not for what can be rendered again
 * @throws what the file system throws; nothing is left behind
 */
export async function writeFileAtomically(file: string, data: Uint8Array, { durable = false } = {}): Promise<void> {
  const folder = dirname(file)
  await makeFolder(folder)
  const part = `${file}.${randomBytes(4).toString('hex')}${PART_SUFFIX}`
  try {
    const handle = await open(part, 'wx')
    try {
      await handle.writeFile(data)
      if (durable) await handle.datasync()
    } finally {
      await handle.close()
    }
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Deletes temporary files that a crash left behind an hour ago or earlier. Runs once per folder and process. */
export async function deleteStaleParts(folder: string): Promise<void> {
  if (cleanedFolders.has(folder)) return
  cleanedFolders.add(folder)
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((name) => name.endsWith(PART_SUFFIX))) {
    const file = join(folder, name)
    const info = await stat(file).catch(() => null)
    if (info && Date.now() - info.mtimeMs > PART_MAX_AGE_MS) await rm(file, { force: true })
  }
}

/**
 * For `.catch` of a file operation: returns `value` where the path does not exist, and rethrows any other error, such as a missing
 * permission.
 */
export const ifAbsent =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return value
    throw error
  }

/** The size in bytes; null where there is no such file. */
export const fileSize = (file: string): Promise<number | null> =>
  stat(file).then((info) => (info.isFile() ? info.size : null), ifAbsent(null))

/** Bytes read at both ends of a file to find out whether it was written. */
const END_BYTES = 16

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)

/** The same as `isBlank` of a file's content. */
export const isBlankContent = (bytes: Uint8Array): boolean =>
  isZero(bytes.subarray(0, END_BYTES)) || isZero(bytes.subarray(-END_BYTES))

/**
 * Whether a file is empty or begins or ends with NULs, as a power cut leaves data that was not yet on the disk. True also where there
 * is no such file.
 */
export async function isBlank(file: string): Promise<boolean> {
  const handle = await open(file, 'r').catch(ifAbsent(null))
  try {
    const size = (await handle?.stat())?.size ?? 0
    if (!handle || size === 0) return true
    for (const position of [0, Math.max(0, size - END_BYTES)]) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(END_BYTES), 0, END_BYTES, position)
      if (isZero(buffer.subarray(0, bytesRead))) return true
    }
    return false
  } finally {
    await handle?.close()
  }
}
