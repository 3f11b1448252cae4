import { photoStore, type PhotoStore, type StoredFile } from '#features/storage/photo-store.server.ts'
import { StoreUnavailableError } from '#features/storage/store-unavailable.ts'
import { type Job, runEvery } from '#lib/jobs.ts'
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

/** Between two looks at the local folder, and at a bucket, which are paid for one by one. */
const RESCAN_INTERVAL_MS = 10_000
const REMOTE_RESCAN_INTERVAL_MS = 60_000

interface Scan {
  at: number
  photos: Promise<OperatorPhotos>
}

const scannedFolders = new Map<string, Scan>()

/**
 * The operator's own photos by breed slug. The folder is read at most every ten seconds; a missing one yields no photos. Of a bucket the
 * last list is answered at once, and `startOperatorPhotoScan` renews it: no page waits for it.
 */
export function operatorPhotos(dataDir: string, now = Date.now()): Promise<OperatorPhotos> {
  const lastScan = scannedFolders.get(dataDir)
  const store = photoStore(dataDir)
  if (lastScan && (store.isRemote || Math.abs(now - lastScan.at) < RESCAN_INTERVAL_MS)) return lastScan.photos
  const photos = scanPictures(store).catch((): OperatorPhotos => new Map())
  scannedFolders.set(dataDir, { at: now, photos })
  return photos
}

/**
 * Lists the operator's photos in a bucket now and then once a minute. While it is unavailable, the last list stays.
 * @param onChange called when there are others than before
 */
export const startOperatorPhotoScan = (
  dataDir: string,
  onChange: () => void,
  { intervalMs = REMOTE_RESCAN_INTERVAL_MS } = {},
): Job => {
  let versions = ''
  return runEvery({ intervalMs, delayMs: 0 }, 'perrario · las fotos de razas no se pudieron mirar:', async () => {
    const photos = await scanPictures(photoStore(dataDir)).catch((error: unknown) => {
      if (error instanceof StoreUnavailableError) return null
      throw error
    })
    if (!photos) return
    scannedFolders.set(dataDir, { at: Date.now(), photos: Promise.resolve(photos) })
    const before = versions
    versions = [...photos.values()].map(({ key, version }) => `${key} ${version}`).join('\n')
    if (versions !== before) onChange()
  })
}

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
