import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Path of a photo under DATA_DIR, and of the folder of its renders: both are deleted together. */
export const photoFile = (dataDir: string, name: string): string => join(dataDir, 'photos', name)
export const rendersFolder = (dataDir: string, name: string): string => join(dataDir, 'cache', 'photos', name)

/**
 * Path of a quarantined photo: a folder of the public ones that the photo handler serves nothing from.
 * The name stays the same, so that a crash between the commit and the move can be repaired in either direction.
 */
export const quarantinedPhotoFile = (dataDir: string, name: string): string => join(dataDir, 'photos', 'held', name)

const PART_MAX_AGE_MS = 3_600_000
const PART_SUFFIX = '.part'
const cleanedFolders = new Set<string>()

/**
 * Writes `data` to a temporary file and renames it, so that no reader sees half of it, also after a crash.
 * @param options.durable waits for the disk (fdatasync), so that a power cut cannot empty the file either: worth its
 *   milliseconds for a photo, not for what can be rendered again
 * @throws what the file system throws; nothing is left behind
 */
export async function writeFileAtomically(file: string, data: Uint8Array, { durable = false } = {}): Promise<void> {
  const folder = dirname(file)
  await mkdir(folder, { recursive: true })
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
