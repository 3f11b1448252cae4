import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { AppError, invalid } from '#lib/errors.ts'
import type { UploadSender } from '#features/photos/ingest.server.ts'
import { PHOTO_MAX_SIDE_PX, MAX_PHOTOS } from '#features/photos/photos.ts'
import { planLaterRemoval, planRemoval } from '#features/photos/planned-moves.server.ts'
import {
  type DogPhotos,
  newPhotoUrl,
  preparePhoto,
  removePhotos,
  storePhoto,
  type StoredPhoto,
} from '#features/photos/photos.server.ts'
import { StoreUnavailableError } from '#features/storage/store-unavailable.ts'
import { DOG_TEXTS } from './dog-fields.ts'
import type { SkippedPhoto } from '#features/dogs/dogs.ts'

export type { StoredPhoto, UploadSender }

/** A stored photo with its description. */
export type DescribedPhoto = StoredPhoto & { alt?: string | null }

/** A photo as received. It is decoded only when its turn comes, so that ten are never decoded in memory at once. */
export type Upload = Blob | Uint8Array

const readBytes = async (upload: Upload) =>
  upload instanceof Uint8Array ? upload : new Uint8Array(await upload.arrayBuffer())

const imagesError = (detail: string) => invalid(detail, { images: detail })

/** @throws AppError 422 for none or more than ten */
export function assertPhotoCount(count: number): void {
  if (count === 0) throw imagesError(DOG_TEXTS.photo)
  if (count > MAX_PHOTOS) throw imagesError(DOG_TEXTS.photosMax)
}

/**
 * Prepares and writes the photos of a dog, one after another. A photo that cannot be read is skipped and reported with its
 * position in `uploads`; any other failure deletes those written so far.
 * @throws AppError 429, 503 where too many wait (preparePhoto); 503 where the store is unavailable; 429, 503, 507 from `admit` and `spend`
 */
export async function storeUploads(
  db: Db,
  dataDir: string,
  dogId: string,
  uploads: readonly (Upload | null)[],
  sender?: UploadSender,
): Promise<{ stored: (StoredPhoto | null)[]; skipped: SkippedPhoto[] }> {
  const stored: (StoredPhoto | null)[] = []
  const skipped: SkippedPhoto[] = []
  try {
    for (const [index, upload] of uploads.entries()) {
      try {
        stored.push(upload && (await storeUpload(db, dataDir, dogId, upload, sender)))
      } catch (error) {
        // An unreadable photo is skipped. A full queue, an empty quota or an aborted request ends the upload.
        if (!(error instanceof AppError) || error.status !== 422) throw error
        skipped.push({ index, detail: error.message })
        stored.push(null)
      }
    }
  } catch (error) {
    await discardPhotos(db, dataDir, dogId, stored)
    throw error
  }
  return { stored, skipped }
}

async function storeUpload(
  db: Db,
  dataDir: string,
  dogId: string,
  upload: Upload,
  sender?: UploadSender,
): Promise<StoredPhoto> {
  const prepared = await preparePhoto(await readBytes(upload), PHOTO_MAX_SIDE_PX, sender)
  const bytes = prepared.data.length
  await sender?.admit?.(bytes)
  const url = newPhotoUrl(dogId, prepared)
  const photo = await storePhoto(dataDir, dogId, prepared, url).catch(async (error: unknown) => {
    // A store that did not answer in time may have it all the same: it is removed once no answer can come any more.
    if (error instanceof StoreUnavailableError && error.isSent)
      await tryToPlan(planLaterRemoval, db, { dogId, urls: [url] })
    throw error
  })
  try {
    // After the photo: a disk that takes none uses up no budget, and the answer is its own error.
    await sender?.spend?.(bytes)
  } catch (error) {
    await discardPhotos(db, dataDir, dogId, [photo])
    throw error
  }
  return photo
}

/**
 * Deletes stored photos that no row refers to; later, where the store refuses. Logs failures instead of throwing: the action has already
 * ended.
 */
export async function discardPhotos(
  db: Db,
  dataDir: string,
  dogId: string,
  photos: readonly (StoredPhoto | null)[],
): Promise<void> {
  const urls = photos.filter((photo) => photo !== null).map((photo) => photo.url)
  await removePhotos(dataDir, { dogId, urls }).catch(async (error: unknown) => {
    if (!(error instanceof StoreUnavailableError))
      console.error('perrario · unas fotos no se pudieron borrar:', urls, error)
    await tryToPlan(planRemoval, db, { dogId, urls })
  })
}

const tryToPlan = (plan: typeof planRemoval, db: Db, photos: DogPhotos): Promise<void> =>
  transact(db, (trx) => plan(trx, photos)).catch((error: unknown) =>
    console.error('perrario · fotos que se quedan sin fila:', photos.urls, error),
  )

/** The error when every photo was skipped: the reason of the first. */
export const allPhotosRefused = (skipped: readonly SkippedPhoto[]) => imagesError(skipped[0]?.detail ?? DOG_TEXTS.photo)
