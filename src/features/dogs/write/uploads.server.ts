import { AppError, invalid } from '#lib/errors.ts'
import { PHOTO_MAX_SIDE_PX, MAX_PHOTOS } from '#features/photos/photos.ts'
import {
  preparePhoto,
  removePhotos,
  type Sender,
  storePhoto,
  type StoredPhoto,
} from '#features/photos/photos.server.ts'
import { DOG_TEXTS } from './dog-input.ts'
import type { SkippedPhoto } from '#features/dogs/dogs.ts'

export type { StoredPhoto }

/** Who uploads: whose turn the photos take, and what they may still have stored. */
export interface UploadSender extends Sender {
  /** Asked before a photo of so many bytes is written. @throws AppError 429 */
  charge?: (bytes: number) => Promise<void>
}

/** A photo with what is said of it, if anything is. */
export type DescribedPhoto = StoredPhoto & { alt?: string | null }

/** A photo as it came: read only when its turn comes, so that ten of them never lie in memory decoded. */
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
 * Prepares and writes the photos of a dog, one after another. One that cannot be read is skipped and told, with its
 * place in `uploads`; any other failure takes back what was written.
 * @throws AppError 429, 503 where too many wait (preparePhoto); 429 where `charge` says so
 */
export async function storeUploads(
  dataDir: string,
  dogId: string,
  uploads: readonly (Upload | null)[],
  uploader?: UploadSender,
): Promise<{ stored: (StoredPhoto | null)[]; skipped: SkippedPhoto[] }> {
  const stored: (StoredPhoto | null)[] = []
  const skipped: SkippedPhoto[] = []
  try {
    for (const [index, upload] of uploads.entries()) {
      let photo: StoredPhoto | null = null
      try {
        if (upload) {
          const prepared = await preparePhoto(await readBytes(upload), PHOTO_MAX_SIDE_PX, uploader)
          await uploader?.charge?.(prepared.data.length)
          photo = await storePhoto(dataDir, dogId, prepared)
        }
      } catch (error) {
        // What is wrong with a photo skips it; that it is not its turn, or nobody waits for it, ends the upload.
        if (!(error instanceof AppError) || error.status !== 422) throw error
        skipped.push({ index, detail: error.message })
      }
      stored.push(photo)
    }
  } catch (error) {
    await discardPhotos(dataDir, dogId, stored)
    throw error
  }
  return { stored, skipped }
}

/** Removes written photos of a dog that no row names. What cannot be removed is logged: the deed itself is done or undone already. */
export async function discardPhotos(
  dataDir: string,
  dogId: string,
  photos: readonly (StoredPhoto | null)[],
): Promise<void> {
  const urls = photos.filter((photo) => photo !== null).map((photo) => photo.url)
  await removePhotos(dataDir, { dogId, urls }).catch((error: unknown) =>
    console.error('Photos left behind:', urls, error),
  )
}

/** All photos were refused: the first reason is what the person should read. */
export const allPhotosRefused = (skipped: readonly SkippedPhoto[]) => imagesError(skipped[0]?.detail ?? DOG_TEXTS.photo)
