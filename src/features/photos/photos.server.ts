import { randomInt } from 'node:crypto'
import { link, rm } from 'node:fs/promises'
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

/** Photos of one dog, by their addresses. */
export interface DogPhotos {
  dogId: string
  urls: readonly string[]
}

/**
 * Removes photos of one dog and every render of them. Addresses that are not ours (drawn portraits), photos of other dogs
 * and lost files are passed over: whatever text an address came from, nobody can remove a photo of somebody else's dog.
 */
export async function removePhotos(dataDir: string, { dogId, urls }: DogPhotos): Promise<void> {
  for (const name of urls.map(photoName)) {
    if (!name?.startsWith(`${dogId}_`)) continue
    await rm(photoFile(dataDir, name), { force: true })
    await rm(rendersOf(dataDir, name), { recursive: true, force: true, maxRetries: 3 })
  }
}

/**
 * Gives photos of one dog new names, which nobody knows yet; both names lead to them until the old ones are removed. What is no file of
 * ours keeps its address.
 * @returns the new address of each
 */
export async function renamePhotos(dataDir: string, { dogId, urls }: DogPhotos): Promise<Map<string, string>> {
  const renamed = new Map<string, string>()
  for (const url of urls) {
    const name = photoName(url)
    if (!name?.startsWith(`${dogId}_`)) continue
    const fresh = name.replace(/_[0-9a-z]{8}\./, `_${random()}.`)
    const isGone = (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    }
    await link(photoFile(dataDir, name), photoFile(dataDir, fresh)).catch(isGone)
    renamed.set(url, `/photos/${fresh}`)
  }
  return renamed
}
