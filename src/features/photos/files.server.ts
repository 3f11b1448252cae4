import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where a photo lies under DATA_DIR, and where all its renders do: the two disappear together. */
export const photoFile = (dataDir: string, name: string): string => join(dataDir, 'photos', name)
export const rendersFolder = (dataDir: string, name: string): string => join(dataDir, 'cache', 'photos', name)

/**
 * Where a photo lies while its dog, or it alone, is out of sight: beside the public ones, where deliver.server.ts finds none.
 * Its name stays, so that a crash between rows and file can be mended from either side.
 */
export const quarantinedPhotoFile = (dataDir: string, name: string): string => join(dataDir, 'photos', 'held', name)

const PART_SUFFIX = '.part'
const cleanedFolders = new Set<string>()

/**
 * Writes `data` so that nobody ever sees half of it, also after a crash. `lasting` waits for the disk, so that a power cut
 * cannot empty the file either: worth its milliseconds for a photo, not for what can be made again.
 */
export async function writeFileAtomically(file: string, data: Uint8Array, { lasting = false } = {}): Promise<void> {
  const folder = dirname(file)
  await mkdir(folder, { recursive: true })
  const part = `${file}.${randomBytes(4).toString('hex')}${PART_SUFFIX}`
  try {
    const handle = await open(part, 'wx')
    try {
      await handle.writeFile(data)
      if (lasting) await handle.datasync()
    } finally {
      await handle.close()
    }
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Once per folder and process: removes the parts that a crash left behind an hour ago or earlier. */
export async function deleteStaleParts(folder: string): Promise<void> {
  if (cleanedFolders.has(folder)) return
  cleanedFolders.add(folder)
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((name) => name.endsWith(PART_SUFFIX))) {
    const file = join(folder, name)
    const info = await stat(file).catch(() => null)
    if (info && Date.now() - info.mtimeMs > 3_600_000) await rm(file, { force: true })
  }
}
