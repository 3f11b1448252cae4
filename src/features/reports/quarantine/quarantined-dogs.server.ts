import type { Db } from '#db/client.ts'
import { displayName } from '#features/dogs/dogs.ts'
import { parseQuarantinedDog } from '#features/dogs/quarantine.server.ts'
import { galleryPhotos } from '#features/dogs/page/gallery.ts'
import { isSearching } from '#features/lost/end-case.server.ts'
import {
  type QuarantinedContent,
  findQuarantinedByPath,
  readQuarantined,
  readQuarantinedDogsOf,
} from '#features/moderation/quarantine.server.ts'
import { quarantinedPhotoUrl } from '#features/photos/photos.ts'
import { paths } from '#lib/paths.ts'
import type { QuarantinedDogView } from './quarantined-dogs.ts'

async function toQuarantinedDogView(db: Db, item: QuarantinedContent): Promise<QuarantinedDogView> {
  const { dog, images } = parseQuarantinedDog(item)
  const decision = await db
    .selectFrom('decisions as d')
    .innerJoin('cases as c', 'c.id', 'd.case_id')
    .select('d.reason')
    .where('c.kind', '=', item.kind)
    .where('c.thing_id', '=', item.thing_id)
    .where('d.deed', '=', 'hide')
    .orderBy('d.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    id: dog.id,
    name: displayName(dog.name),
    breed: dog.breed,
    path: paths.dog(dog),
    description: dog.description,
    photos: galleryPhotos({ ...dog, images }).map((photo) => ({ ...photo, url: quarantinedPhotoUrl(photo.url) })),
    isPendingReview: !decision && item.cause !== 'reports' && item.cause !== 'admin',
    reason: decision?.reason ?? null,
  }
}

/** The quarantined dog at an address, for its people; null for everyone else, and where there is none. */
export async function findOwnQuarantinedDog(
  db: Db,
  userId: string | null,
  breed: string,
  slug: string,
): Promise<QuarantinedDogView | null> {
  const item = userId === null ? undefined : await findQuarantinedByPath(db, breed, slug)
  if (!item || (item.user_id !== userId && item.other_id !== userId)) return null
  const content = await readQuarantined(db, item.kind, item.thing_id)
  return content ? toOwnView(db, content, userId!) : null
}

/** The same by the dog's id. */
export async function findOwnQuarantinedDogById(
  db: Db,
  userId: string,
  dogId: string,
): Promise<QuarantinedDogView | null> {
  const content = await readQuarantined(db, 'dog', dogId)
  return content && (content.user_id === userId || content.other_id === userId) ? toOwnView(db, content, userId) : null
}

const toOwnView = async (db: Db, content: QuarantinedContent, userId: string): Promise<QuarantinedDogView> => ({
  ...(await toQuarantinedDogView(db, content)),
  isSought: await isSearching(db, userId, content.thing_id),
})

/** The member's quarantined dogs, newest first. */
export async function listOwnQuarantinedDogs(db: Db, userId: string): Promise<QuarantinedDogView[]> {
  const views: QuarantinedDogView[] = []
  for await (const item of readQuarantinedDogsOf(db, userId)) views.push(await toQuarantinedDogView(db, item))
  return views
}
