import { randomInt } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  quarantinedPhotoFile,
  photoFile,
  rendersFolder,
  deleteStaleParts,
  writeFileAtomically,
} from './files.server.ts'
import type { PreparedPhoto } from './ingest.server.ts'
import { photoName } from './photos.ts'

export { preparePhoto, type PreparedPhoto, type Sender } from './ingest.server.ts'

const randomSuffix = () =>
  randomInt(36 ** 4, 2 ** 47)
    .toString(36)
    .padStart(8, '0')
    .slice(-8)

/** Thirteen digits at least, also of a machine whose clock stands at 1970. */
const timestamp = () => String(Date.now()).padStart(13, '0')

export interface StoredPhoto {
  url: string
  width: number
  height: number
  blur: string | null
}

/** Keeps a photo as `{dogId}_{timestamp}_{random}.{ext}` (docs/product.md §24.1): there whole, or not at all. */
export async function storePhoto(dataDir: string, dogId: string, photo: PreparedPhoto): Promise<StoredPhoto> {
  const url = `/photos/${dogId}_${timestamp()}_${randomSuffix()}.${photo.ext}`
  const name = photoName(url)
  if (!name) throw new Error(`Not a dog's id: ${dogId}`)
  const file = photoFile(dataDir, name)
  await deleteStaleParts(dirname(file))
  await writeFileAtomically(file, photo.data, { lasting: true })
  return { url, width: photo.width, height: photo.height, blur: photo.blur }
}

/** Photos of one dog, by their addresses. */
export interface DogPhotos {
  dogId: string
  urls: readonly string[]
}

/**
 * The file names of photos of one dog. Addresses that are not ours (drawn portraits) and photos of other dogs are passed
 * over: whatever text an address came from, nobody can remove, hide or rename a photo of somebody else's dog.
 */
export const photoNamesOf = ({ dogId, urls }: DogPhotos): string[] =>
  [...new Set(urls.map(photoName))].filter((name) => name !== null).filter((name) => name.startsWith(`${dogId}_`))

/** The same photo under a name that nobody knows yet. */
export const newPhotoName = (name: string): string => name.replace(/_[0-9a-z]{8}\./, `_${randomSuffix()}.`)

/** Removes photos of one dog and every render of them, in public or out of sight. Lost files are passed over. */
export async function removePhotos(dataDir: string, photos: DogPhotos): Promise<void> {
  for (const name of photoNamesOf(photos)) {
    await rm(photoFile(dataDir, name), { force: true })
    await rm(quarantinedPhotoFile(dataDir, name), { force: true })
    await rm(rendersFolder(dataDir, name), { recursive: true, force: true, maxRetries: 3 })
  }
}
