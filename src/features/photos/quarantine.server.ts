import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'
import { deleteRenders, photoKey, quarantinedPhotoKey } from './files.server.ts'
import { cancelPlannedMoves, planRelease } from './planned-moves.server.ts'
import { type DogPhotos, newPhotoName, photoNamesOf, removePhotos } from './photos.server.ts'

/**
 * Moves photos out of the public folder and deletes their renders. Callers that hide a dog use `planQuarantine` and
 * `applyPhotoMoves`, which call this after the commit. Idempotent.
 * @throws what the store throws: the photos stay public until the next try
 */
export async function quarantinePhotos(dataDir: string, photos: DogPhotos): Promise<void> {
  for (const name of photoNamesOf(photos)) {
    try {
      // A photo that is missing, or moved already, is no error.
      await photoStore(dataDir).move(photoKey(name), quarantinedPhotoKey(name))
    } finally {
      await deleteRenders(dataDir, name)
    }
  }
}

/**
 * Publishes quarantined photos under new names, so that an address from before stays dead. Call it before the rows are
 * committed, and `planRemoval` for the old addresses with them. `planRelease` records the new names first: if the rows are
 * never committed, the files are removed. A missing photo keeps its address, by which the doctor finds it.
 * @returns new address by old address
 * @throws what the store throws; nothing is left of the new names
 */
export async function releasePhotos(db: Db, dataDir: string, photos: DogPhotos): Promise<Map<string, string>> {
  const renamed = new Map<string, string>()
  const names = photoNamesOf(photos).map((name) => ({ name, newName: newPhotoName(name) }))
  const released = { dogId: photos.dogId, urls: names.map(({ newName }) => `/photos/${newName}`) }
  await transact(db, (trx) => planRelease(trx, released))
  try {
    for (const { name, newName } of names) {
      const quarantined = quarantinedPhotoKey(name)
      // The photo is still public where the store refused the move, or where the move runs at this moment: hence the third try.
      const candidates = [quarantined, photoKey(name), quarantined]
      const isCopied = await copyFirstExisting(dataDir, candidates, photoKey(newName))
      renamed.set(`/photos/${name}`, `/photos/${isCopied ? newName : name}`)
    }
  } catch (error) {
    await discardReleasedPhotos(db, dataDir, released)
    throw error
  }
  return renamed
}

/**
 * Deletes the new names that `releasePhotos` made where their rows are not committed after all. What the store refuses is logged:
 * its removal stays planned.
 */
export async function discardReleasedPhotos(db: Db, dataDir: string, photos: DogPhotos): Promise<void> {
  try {
    await removePhotos(dataDir, photos)
    await transact(db, (trx) => cancelPlannedMoves(trx, photos))
  } catch (error) {
    console.error('perrario · unas fotos no se pudieron borrar:', photos, error)
  }
}

/** Copies the first of `keys` that exists to `target`. @returns whether one existed */
async function copyFirstExisting(dataDir: string, keys: readonly string[], target: string): Promise<boolean> {
  for (const key of keys) if (await photoStore(dataDir).copy(key, target)) return true
  return false
}
