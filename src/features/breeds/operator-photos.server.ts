import { noteChange, noteRead } from '#db/table-changes.ts'
import { photoStore, type PhotoStore, type StoredFile } from '#features/storage/photo-store.server.ts'
import { StoreUnavailableError } from '#features/storage/store-unavailable.ts'
import { paths } from '#lib/paths.ts'

/** Where the operator's pictures are in the store, and the keys that count. */
const FOLDER = 'razas/'
const PICTURE_KEY = /^razas\/([a-z0-9-]+)\.(jpe?g|png|webp|avif|gif)$/i

export interface OperatorPhoto {
  key: string
  /** Changes with the file, so that its address may be cached for ever. */
  version: string
}

type OperatorPhotos = ReadonlyMap<string, OperatorPhoto>

/** As whose change the page cache knows a change of the pictures. */
const CHANGED_NAME = 'operator photos'

const scannedFolders = new Map<string, Promise<OperatorPhotos>>()

/**
 * The operator's own photos by breed slug. The list is made at the first use, and then `rescanOperatorPhotos` renews it: no page waits
 * for a bucket. A missing folder yields no photos.
 */
export function operatorPhotos(dataDir: string): Promise<OperatorPhotos> {
  noteRead(CHANGED_NAME)
  let photos = scannedFolders.get(dataDir)
  if (!photos) scannedFolders.set(dataDir, (photos = scanPictures(photoStore(dataDir)).catch(() => new Map())))
  return photos
}

/** Lists the operator's photos again. While a bucket is unavailable, the last list stays. */
export async function rescanOperatorPhotos(dataDir: string): Promise<void> {
  const before = await scannedFolders.get(dataDir)
  const photos = await scanPictures(photoStore(dataDir)).catch((error: unknown) => {
    if (error instanceof StoreUnavailableError) return null
    throw error
  })
  if (!photos) return
  scannedFolders.set(dataDir, Promise.resolve(photos))
  if (versionsOf(photos) !== versionsOf(before)) noteChange(CHANGED_NAME)
}

const versionsOf = (photos: OperatorPhotos = new Map()): string =>
  [...photos.values()].map(({ key, version }) => `${key} ${version}`).join('\n')

/** @throws what the store throws */
async function scanPictures(store: PhotoStore): Promise<OperatorPhotos> {
  const files: StoredFile[] = []
  for await (const file of store.list(FOLDER)) if (PICTURE_KEY.test(file.key)) files.push(file)
  const photos = new Map<string, OperatorPhoto>()
  // Of two pictures of a breed the first by name counts.
  for (const { key, modifiedAt } of files.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const slug = PICTURE_KEY.exec(key)?.[1]?.toLowerCase()
    if (slug && !photos.has(slug)) photos.set(slug, { key, version: Math.round(modifiedAt).toString(36) })
  }
  return photos
}

/** The address of a breed's picture: the operator's photo where there is one, else the drawn portrait. */
export function breedImageUrl(
  breed: { slug: string; imagen_purina: string },
  box: 'breed' | 'thumb' | 'small',
  photos: ReadonlyMap<string, OperatorPhoto>,
): string {
  const photo = photos.get(breed.slug)
  return photo ? paths.breedPhoto(breed.slug, box, photo.version) : breed.imagen_purina
}
