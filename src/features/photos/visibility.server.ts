import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '#db/client.ts'
import { photoKey } from './files.server.ts'

/** The database that decides which photos are public, by DATA_DIR. */
const databases = new Map<string, Db>()

/**
 * Lets rows decide which photos of `dataDir` are public, instead of files: where the photos are in a bucket that may be unavailable, and other
 * machines hide and delete them too.
 */
export const publishPhotosByRows = (dataDir: string, db: Db): void => void databases.set(dataDir, db)

/** Whether the photo of that name is public now: neither removed nor quarantined. Synchronous where its file decides. */
export function isPhotoPublic(dataDir: string, name: string): boolean | Promise<boolean> {
  const db = databases.get(dataDir)
  return db ? isReferencedByDog(db, name) : isInPublicFolder(dataDir, name)
}

/** Synchronous on purpose: stat takes microseconds, and the detour over the thread pool as long as the rest of an answer. */
function isInPublicFolder(dataDir: string, name: string): boolean {
  try {
    return (statSync(join(dataDir, photoKey(name)), { throwIfNoEntry: false })?.size ?? 0) > 0
  } catch {
    return false
  }
}

async function isReferencedByDog(db: Db, name: string): Promise<boolean> {
  const [dogId, url] = [name.slice(0, 36), `/photos/${name}`]
  const image = db.selectFrom('dog_images').select('url').where('dog_id', '=', dogId).where('url', '=', url)
  if (await image.executeTakeFirst()) return true
  const dog = db.selectFrom('dogs').select('id').where('id', '=', dogId).where('photo_url', '=', url)
  return (await dog.executeTakeFirst()) !== undefined
}

/** Names that are checked in one query. */
const NAMES_PER_QUERY = 500

/** The photos of `names` that no public dog has, as rows say. */
export async function findNonPublicPhotos(db: Db, names: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (let at = 0; at < names.length; at += NAMES_PER_QUERY) {
    const some = names.slice(at, at + NAMES_PER_QUERY)
    const ids = [...new Set(some.map((name) => name.slice(0, 36)))]
    const images = await db.selectFrom('dog_images').select('url').where('dog_id', 'in', ids).execute()
    const dogs = await db.selectFrom('dogs').select('photo_url as url').where('id', 'in', ids).execute()
    const urls = new Set([...images, ...dogs].map(({ url }) => url))
    found.push(...some.filter((name) => !urls.has(`/photos/${name}`)))
  }
  return found
}
