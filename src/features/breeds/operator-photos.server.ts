import { photoStore, type PhotoStore, type StoredFile } from '#features/storage/photo-store.server.ts'
import { paths } from '#lib/paths.ts'

/** Where the operator's pictures are in the store, and the keys that count. */
const FOLDER = 'razas/'
const PICTURE_KEY = /^razas\/([a-z0-9-]+)\.(jpe?g|png|webp|avif|gif)$/i

export interface OperatorPhoto {
  key: string
  /** Changes with the file, so that its address may be cached for ever. */
  version: string
}

const RESCAN_INTERVAL_MS = 10_000
const scannedFolders = new Map<string, { at: number; photos: Promise<ReadonlyMap<string, OperatorPhoto>> }>()

/** The operator's own photos by breed slug. The folder is read at most every ten seconds; a missing one yields no photos. */
export function operatorPhotos(dataDir: string, now = Date.now()): Promise<ReadonlyMap<string, OperatorPhoto>> {
  const lastScan = scannedFolders.get(dataDir)
  if (lastScan && Math.abs(now - lastScan.at) < RESCAN_INTERVAL_MS) return lastScan.photos
  const photos = scanPictures(photoStore(dataDir))
  scannedFolders.set(dataDir, { at: now, photos })
  return photos
}

async function scanPictures(store: PhotoStore): Promise<ReadonlyMap<string, OperatorPhoto>> {
  const files: StoredFile[] = []
  try {
    for await (const file of store.list(FOLDER)) if (PICTURE_KEY.test(file.key)) files.push(file)
  } catch {
    return new Map()
  }
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
