import { randomInt } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { photoFile, rendersOf, sweepParts, writeWhole } from './files.server.ts'
import type { PreparedPhoto } from './ingest.server.ts'
import { photoName } from './photos.ts'

export { preparePhoto, type PreparedPhoto } from './ingest.server.ts'

const random = () =>
  randomInt(36 ** 4, 2 ** 47)
    .toString(36)
    .padStart(8, '0')
    .slice(-8)

/** Thirteen digits at least, also of a machine whose clock stands at 1970. */
const stamp = () => String(Date.now()).padStart(13, '0')

export interface StoredPhoto {
  url: string
  width: number
  height: number
  blur: string | null
}

/** Keeps a photo as `{dogId}_{timestamp}_{random}.{ext}` (spec.md §7): there whole, or not at all. */
export async function storePhoto(dataDir: string, dogId: string, photo: PreparedPhoto): Promise<StoredPhoto> {
  const url = `/photos/${dogId}_${stamp()}_${random()}.${photo.ext}`
  const name = photoName(url)
  if (!name) throw new Error(`Not a dog's id: ${dogId}`)
  const file = photoFile(dataDir, name)
  await sweepParts(dirname(file))
  await writeWhole(file, photo.data, { lasting: true })
  return { url, width: photo.width, height: photo.height, blur: photo.blur }
}

/** Removes photos and every render of them. Addresses that are not ours (drawn portraits) and lost files are passed over. */
export async function removePhotos(dataDir: string, urls: readonly string[]): Promise<void> {
  for (const name of urls.map(photoName)) {
    if (!name) continue
    await rm(photoFile(dataDir, name), { force: true })
    await rm(rendersOf(dataDir, name), { recursive: true, force: true, maxRetries: 3 })
  }
}
