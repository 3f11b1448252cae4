import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { paths } from '#lib/paths.ts'

/** Names of picture files that an operator may put into `DATA_DIR/razas`. */
const PICTURE_FILE = /^([a-z0-9-]+)\.(jpe?g|png|webp|avif|gif)$/i

export interface OperatorPhoto {
  file: string
  /** Changes with the file, so that its address may be cached for ever. */
  version: string
}

const RESCAN_INTERVAL_MS = 10_000
const scannedFolders = new Map<string, { at: number; photos: Promise<ReadonlyMap<string, OperatorPhoto>> }>()

/** The operator's own photos by breed slug. The folder is read at most every ten seconds; a missing one yields no photos. */
export function operatorPhotos(dataDir: string, now = Date.now()): Promise<ReadonlyMap<string, OperatorPhoto>> {
  const lastScan = scannedFolders.get(dataDir)
  if (lastScan && Math.abs(now - lastScan.at) < RESCAN_INTERVAL_MS) return lastScan.photos
  const photos = scanFolder(join(dataDir, 'razas'))
  scannedFolders.set(dataDir, { at: now, photos })
  return photos
}

async function scanFolder(folder: string): Promise<ReadonlyMap<string, OperatorPhoto>> {
  const names = await readdir(folder).catch((): string[] => [])
  const photos = new Map<string, OperatorPhoto>()
  for (const name of names.toSorted()) {
    const slug = PICTURE_FILE.exec(name)?.[1]?.toLowerCase()
    const info = slug && !photos.has(slug) ? await stat(join(folder, name)).catch(() => null) : null
    if (slug && info?.isFile())
      photos.set(slug, { file: join(folder, name), version: Math.round(info.mtimeMs).toString(36) })
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
