import type { Db } from '#db/client.ts'
import { lookUpBreed } from '#features/breeds/lookup.server.ts'

/** The slug of a breed that the detection names; null where it names none. */
export async function findBreedSlug(db: Db, breed: string | undefined): Promise<string | null> {
  if (breed === undefined) return null
  const found = await lookUpBreed(db, breed)
  if ('found' in found) return found.found
  return 'moved' in found ? found.moved : null
}
