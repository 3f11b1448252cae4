import { hasWaited } from '#db/content.ts'
import type { Db } from '#db/client.ts'
import type { DogRow } from '#features/dogs/dog.server.ts'
import { displayName } from '#features/dogs/dogs.ts'
import { findHiddenDog, peopleOf, toHiddenDog } from '#features/dogs/hidden-dogs.server.ts'
import { galleryPhotos } from '#features/dogs/page/gallery.ts'
import { FREE_TEXT_NAMES } from '#features/dogs/write/dog-fields.ts'
import { isSearching } from '#features/lost/end-case.server.ts'
import { paths } from '#lib/paths.ts'
import type { HiddenDogView } from './hidden-dogs.ts'

async function toView(db: Db, row: DogRow): Promise<HiddenDogView> {
  const decision = await db
    .selectFrom('decisions as d')
    .innerJoin('cases as c', 'c.id', 'd.case_id')
    .select('d.reason')
    .where('c.kind', '=', 'dog')
    .where('c.thing_id', '=', row.id)
    .where('d.deed', '=', 'hide')
    .orderBy('d.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    id: row.id,
    name: displayName(row.name),
    breed: row.breed,
    path: paths.dog(row),
    texts: FREE_TEXT_NAMES.flatMap((name) => row[name] ?? []),
    photos: galleryPhotos(await toHiddenDog(db, row)),
    isPendingReview: !decision && hasWaited(row.hidden),
    reason: decision?.reason ?? null,
  }
}

/** The hidden dog at an address, for its people; null for everyone else, and where there is none. */
export async function findOwnHiddenDog(
  db: Db,
  userId: string | null,
  breed: string,
  slug: string,
): Promise<HiddenDogView | null> {
  if (userId === null) return null
  const path = await db
    .selectFrom('dog_paths')
    .select('dog_id')
    .where('breed_slug', '=', breed)
    .where('slug', '=', slug)
    .executeTakeFirst()
  return path?.dog_id ? findOwnHiddenDogById(db, userId, path.dog_id) : null
}

/** The same by the dog's id. */
export async function findOwnHiddenDogById(db: Db, userId: string, dogId: string): Promise<HiddenDogView | null> {
  const dog = await findHiddenDog(db, dogId)
  if (!dog || !peopleOf(dog).includes(userId)) return null
  return { ...(await toView(db, dog)), isSought: await isSearching(db, userId, dogId) }
}

const OWN_HIDDEN_MAX = 100

/** The member's hidden dogs, newest first; by the indexes of each role. */
export async function listOwnHiddenDogs(db: Db, userId: string): Promise<HiddenDogView[]> {
  const ofRole = (role: 'user_id' | 'owner_id' | 'discoverer_id') =>
    db.selectFrom('dogs_all').selectAll().where(role, '=', userId).where('hidden', '>', 0)
  const rows = await ofRole('user_id')
    .union(ofRole('owner_id'))
    .union(ofRole('discoverer_id'))
    .orderBy('created_at', 'desc')
    .limit(OWN_HIDDEN_MAX)
    .execute()
  const views: HiddenDogView[] = []
  for (const row of rows) views.push(await toView(db, row))
  return views
}
