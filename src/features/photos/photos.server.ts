import { randomInt } from 'node:crypto'
import { photoStore } from '#features/storage/photo-store.server.ts'
import { deleteRenders, photoKey, formerPhotoKey } from './files.server.ts'
import type { PreparedPhoto } from './ingest.server.ts'
import { photoName } from './photos.ts'

export { preparePhoto, type PreparedPhoto, type Sender } from './ingest.server.ts'

const randomSuffix = () =>
  randomInt(36 ** 4, 2 ** 47)
    .toString(36)
    .padStart(8, '0')
    .slice(-8)

/** At least thirteen digits, also on a machine whose clock starts at 1970. */
const timestamp = () => String(Date.now()).padStart(13, '0')

export interface StoredPhoto {
  url: string
  width: number
  height: number
  blur: string | null
}

/** The address of a new photo: `{dogId}_{timestamp}_{random}.{ext}` (docs/product.md §24.1). */
export const newPhotoUrl = (dogId: string, { ext }: Pick<PreparedPhoto, 'ext'>): string =>
  `/photos/${dogId}_${timestamp()}_${randomSuffix()}.${ext}`

/** Stores a photo whole or not at all, durably. @throws what the store throws */
export async function storePhoto(
  dataDir: string,
  dogId: string,
  photo: PreparedPhoto,
  url = newPhotoUrl(dogId, photo),
): Promise<StoredPhoto> {
  const name = photoName(url)
  if (!name) throw new Error(`Not a dog's id: ${dogId}`)
  await photoStore(dataDir).put(photoKey(name), photo.data)
  return { url, width: photo.width, height: photo.height, blur: photo.blur }
}

/** Photos of one dog, by their addresses. */
export interface DogPhotos {
  dogId: string
  urls: readonly string[]
}

/**
 * The file names of photos of one dog. Skips addresses that are not stored photos (drawn portraits) and photos of other dogs:
 * an address may come from user input, and no input may remove, hide or rename a photo of another dog.
 */
export const photoNamesOf = ({ dogId, urls }: DogPhotos): string[] =>
  [...new Set(urls.map(photoName))].filter((name) => name !== null).filter((name) => name.startsWith(`${dogId}_`))

/** Deletes photos of one dog and every render of them. Missing files are no error. */
export async function removePhotos(dataDir: string, photos: DogPhotos): Promise<void> {
  for (const name of photoNamesOf(photos)) {
    try {
      await photoStore(dataDir).delete(photoKey(name), formerPhotoKey(name))
    } finally {
      await deleteRenders(dataDir, name)
    }
  }
}
