import { constants, existsSync } from 'node:fs'
import { copyFile, link, mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Db } from '#db/client.ts'
import { quarantinedPhotoFile, photoFile, rendersFolder } from './files.server.ts'
import { planRelease } from './planned-moves.server.ts'
import { type DogPhotos, newPhotoName, photoNamesOf } from './photos.server.ts'

const isFileMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/**
 * Takes photos out of public reach, and every render of them. What hides a dog calls `planQuarantine` and `settlePhotos`,
 * which come here once the rows have been committed; again does no harm.
 * @throws where the disk refuses: the photos are public until the next try
 */
export async function quarantinePhotos(dataDir: string, photos: DogPhotos): Promise<void> {
  for (const name of photoNamesOf(photos)) {
    const file = photoFile(dataDir, name)
    const to = quarantinedPhotoFile(dataDir, name)
    if (existsSync(file)) await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    try {
      await rename(file, to)
      // Two names of one file: rename leaves both.
      await rm(file, { force: true })
    } catch (error) {
      // Lost, or moved already.
      if (!isFileMissing(error)) throw error
    }
    await rm(rendersFolder(dataDir, name), { recursive: true, force: true, maxRetries: 3 })
  }
}

/**
 * Gives photos that come back new public names: an address somebody kept from before shows nothing. Call it before the rows
 * are committed, and `planRemoval` for the old addresses with them. The new names are written down before (`planRelease`):
 * where the rows never come, the files go. A lost photo keeps its address, by which the doctor finds it.
 * @returns the new address of each
 */
export async function releasePhotos(db: Db, dataDir: string, photos: DogPhotos): Promise<Map<string, string>> {
  const renamed = new Map<string, string>()
  const names = photoNamesOf(photos).map((name) => ({ name, fresh: newPhotoName(name) }))
  await planRelease(db, { dogId: photos.dogId, urls: names.map(({ fresh }) => `/photos/${fresh}`) })
  for (const { name, fresh } of names) {
    const held = quarantinedPhotoFile(dataDir, name)
    // Still in public where the disk kept it from being moved, or where it is being moved just now.
    const isThere = await linkFirst([held, photoFile(dataDir, name), held], photoFile(dataDir, fresh))
    renamed.set(`/photos/${name}`, `/photos/${isThere ? fresh : name}`)
  }
  return renamed
}

async function linkFirst(from: readonly string[], to: string): Promise<boolean> {
  for (const file of from) {
    try {
      // Some file systems know no links.
      await link(file, to).catch((error: unknown) => {
        if (isFileMissing(error)) throw error
        return copyFile(file, to, constants.COPYFILE_EXCL)
      })
      return true
    } catch (error) {
      if (!isFileMissing(error)) throw error
    }
  }
  return false
}
