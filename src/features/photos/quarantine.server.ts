import { constants, existsSync } from 'node:fs'
import { copyFile, link, mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Db } from '#db/client.ts'
import { quarantinedPhotoFile, photoFile, rendersFolder } from './files.server.ts'
import { cancelPlannedMoves, planRelease } from './planned-moves.server.ts'
import { type DogPhotos, newPhotoName, photoNamesOf, removePhotos } from './photos.server.ts'
import { errorCode } from '#lib/error-code.ts'

const isFileMissing = (error: unknown) => errorCode(error) === 'ENOENT'

/**
 * Moves photos out of the public folder and deletes their renders. Callers that hide a dog use `planQuarantine` and
 * `applyPhotoMoves`, which call this after the commit. Idempotent.
 * @throws what the file system throws: the photos stay public until the next try
 */
export async function quarantinePhotos(dataDir: string, photos: DogPhotos): Promise<void> {
  for (const name of photoNamesOf(photos)) {
    const file = photoFile(dataDir, name)
    const target = quarantinedPhotoFile(dataDir, name)
    if (existsSync(file)) await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    try {
      await rename(file, target)
      // Where both are hard links to one file, rename leaves both.
      await rm(file, { force: true })
    } catch (error) {
      // Missing, or moved already.
      if (!isFileMissing(error)) throw error
    }
    await rm(rendersFolder(dataDir, name), { recursive: true, force: true, maxRetries: 3 })
  }
}

/**
 * Publishes quarantined photos under new names, so that an address from before stays dead. Call it before the rows are
 * committed, and `planRemoval` for the old addresses with them. `planRelease` records the new names first: if the rows are
 * never committed, the files are removed. A missing photo keeps its address, by which the doctor finds it.
 * @returns new address by old address
 * @throws what the file system throws; nothing is left of the new names
 */
export async function releasePhotos(db: Db, dataDir: string, photos: DogPhotos): Promise<Map<string, string>> {
  const renamed = new Map<string, string>()
  const names = photoNamesOf(photos).map((name) => ({ name, newName: newPhotoName(name) }))
  const released = { dogId: photos.dogId, urls: names.map(({ newName }) => `/photos/${newName}`) }
  await planRelease(db, released)
  try {
    for (const { name, newName } of names) {
      const quarantined = quarantinedPhotoFile(dataDir, name)
      // The photo is still public where the disk refused the move, or where the move runs at this moment: hence the third try.
      const candidates = [quarantined, photoFile(dataDir, name), quarantined]
      const isLinked = await linkFirstExisting(candidates, photoFile(dataDir, newName))
      renamed.set(`/photos/${name}`, `/photos/${isLinked ? newName : name}`)
    }
  } catch (error) {
    await discardReleasedPhotos(db, dataDir, released)
    throw error
  }
  return renamed
}

/**
 * Deletes the new names that `releasePhotos` made where their rows are not committed after all. What the disk refuses is logged:
 * its removal stays planned.
 */
export async function discardReleasedPhotos(db: Db, dataDir: string, photos: DogPhotos): Promise<void> {
  try {
    await removePhotos(dataDir, photos)
    await cancelPlannedMoves(db, photos)
  } catch (error) {
    console.error('Photo cleanup failed:', photos, error)
  }
}

/** Links the first of `files` that exists to `target`. @returns whether one existed */
async function linkFirstExisting(files: readonly string[], target: string): Promise<boolean> {
  for (const file of files) {
    try {
      // Some file systems have no hard links.
      await link(file, target).catch((error: unknown) => {
        if (isFileMissing(error)) throw error
        return copyFile(file, target, constants.COPYFILE_EXCL)
      })
      return true
    } catch (error) {
      if (!isFileMissing(error)) throw error
    }
  }
  return false
}
