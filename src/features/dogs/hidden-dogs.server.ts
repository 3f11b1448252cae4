import { hasWaited, type HiddenCause } from '#db/content.ts'
import type { Db, Trx } from '#db/client.ts'
import { discardCases, findContent, hide, REVIEWED, show } from '#features/moderation/content.server.ts'
import { publishHiddenNotifications } from '#features/notifications/notifications.server.ts'
import { openReviewCase, type NewReview } from '#features/moderation/reviews.server.ts'
import { hiddenPhotoUrl } from '#features/photos/photos.ts'
import { AppError } from '#lib/errors.ts'
import { publishDogEvent } from './dog-events.server.ts'
import { writeDogWords } from './dog-words.server.ts'
import { type DogRow, dogNotFound, toDogs } from './dog.server.ts'
import { type Dog, displayName } from './dogs.ts'
import { withNewBreedNotifications } from './new-breed.server.ts'

type Roles = Pick<DogRow, 'owner_id' | 'discoverer_id' | 'user_id'>
/** Ids of a dog's people, the owner first; null where a role is nobody's. */
export const peopleOf = ({ owner_id, discoverer_id, user_id }: Roles) => [owner_id, discoverer_id, user_id]
/** The same without doubles. */
export const peopleIdsOf = (dog: Roles): string[] => [...new Set(peopleOf(dog).filter((id) => id !== null))]

/** The dog where it is hidden. */
export async function findHiddenDog(db: Db, id: string): Promise<DogRow | undefined> {
  const dog = await findContent(db, 'dog', id)
  return dog && dog.hidden !== 0 ? dog : undefined
}

/** Hides a dog with all that is of it, from this transaction on. @throws AppError 404 */
export async function hideDog(trx: Trx, id: string, cause: HiddenCause, now = Date.now()): Promise<void> {
  const hidden = await hide(trx, 'dog', id, cause)
  if (!hidden) throw dogNotFound()
  if (hidden.before !== 0) return
  await publishDogEvent(trx, 'removed', id, now)
  await publishHiddenNotifications(trx, 'dog_id', id)
}

/**
 * Ends causes of a hidden dog. With the last it is in every list again; one that nobody has seen may be the first of its breed in its people's
 * albums.
 * @throws AppError 404
 */
export async function showDog(
  trx: Trx,
  id: string,
  causes: readonly HiddenCause[] = REVIEWED,
  now = Date.now(),
): Promise<void> {
  const before = await findHiddenDog(trx, id)
  if (!before) throw dogNotFound()
  await trx.updateTable('dogs_all').set({ updated_at: now }).where('id', '=', id).execute()
  const userIds = hasWaited(before.hidden) ? [before.owner_id, before.discoverer_id] : []
  const arrival = { dogId: id, breedSlug: before.breed_slug, userIds }
  const shown = await withNewBreedNotifications(trx, arrival, () => show(trx, 'dog', id, ...causes), now)
  if (shown?.row.hidden !== 0) return
  await writeDogWords(trx, id, before.name)
  await publishDogEvent(trx, 'added', id, now)
}

/** A hidden dog in the form that its people see. */
export async function toHiddenDog(db: Db, row: DogRow): Promise<Dog> {
  const [dog] = await toDogs(db, [row])
  const images = dog!.images.map((image) => ({ ...image, url: hiddenPhotoUrl(image.url) }))
  return { ...dog!, photo_url: hiddenPhotoUrl(row.photo_url), card: null, blur: null, images, waits: true }
}

/** Opens the case of a dog that was just written hidden, for the admin. Call it inside the action's transaction. */
export async function submitDogForReview(trx: Trx, id: string, review: NewReview, now = Date.now()): Promise<Dog> {
  const dog = await findHiddenDog(trx, id)
  if (!dog) throw dogNotFound()
  const label = `${displayName(dog.name)}, ${dog.breed}`
  await openReviewCase(trx, { kind: 'dog', id, dogId: id, memberIds: peopleOf(dog), label }, review, now)
  return toHiddenDog(trx, dog)
}

export const ONLY_PHOTO_ERROR = 'Es la única foto del perro: oculta la ficha entera.'

/** @throws AppError 404; 409 for a photo that is shown, where its dog has no other */
async function requireSparePhoto(trx: Trx, url: string) {
  const image = await findContent(trx, 'photo', url)
  if (!image) throw dogNotFound()
  if (image.hidden !== 0) return image
  const others = trx.selectFrom('dog_images').select('url').where('dog_id', '=', image.dog_id).where('url', '!=', url)
  if (!(await others.limit(1).executeTakeFirst())) throw new AppError(409, ONLY_PHOTO_ERROR)
  return image
}

/**
 * The places in the whole gallery of a dog's photos that are hidden by themselves, in their order. Their numbers are below those of the gallery:
 * -1 for the first place, -2 for the second.
 */
async function listHiddenPlaces(trx: Trx, dogId: string): Promise<number[]> {
  const hidden = trx.selectFrom('dog_images_all').select('order').where('dog_id', '=', dogId).where('order', '<', 0)
  return (await hidden.orderBy('order', 'desc').execute()).map(({ order }) => -1 - order)
}

const setOrder = (trx: Trx, url: string, order: number) =>
  trx.updateTable('dog_images_all').set({ order }).where('url', '=', url).execute()

/**
 * Hides one photo of a dog, shown or hidden itself. The only one cannot be: the whole dog can. Call it inside a transaction.
 * @throws AppError 404; 409 for the only photo of its dog
 */
export async function hidePhoto(trx: Trx, url: string, cause: HiddenCause, now = Date.now()): Promise<void> {
  const { dog_id, hidden, order } = await requireSparePhoto(trx, url)
  await hide(trx, 'photo', url, cause)
  if (hidden !== 0) return
  let place = order
  for (const other of await listHiddenPlaces(trx, dog_id)) if (other <= place) place++
  await setOrder(trx, url, -1 - place)
  await arrangeGallery(trx, dog_id, now)
}

/** Shows a photo that the review has hidden, in its place. @throws AppError 404; 409 while the dog itself is hidden */
export async function showPhoto(trx: Trx, url: string, now = Date.now()): Promise<void> {
  const image = await findContent(trx, 'photo', url)
  if (!image || image.hidden === 0) throw dogNotFound()
  if (await findHiddenDog(trx, image.dog_id)) throw new AppError(409, 'Su perro está oculto: restáuralo primero.')
  const place = (await listHiddenPlaces(trx, image.dog_id)).indexOf(-1 - image.order)
  const shown = await show(trx, 'photo', url, ...REVIEWED)
  if (shown?.row.hidden === 0) await arrangeGallery(trx, image.dog_id, now, -1 - image.order - place)
}

/** Deletes one photo of a dog for good; the caller plans the removal of its file. @throws as `hidePhoto` */
export async function deletePhoto(trx: Trx, url: string, now = Date.now()): Promise<void> {
  const { dog_id, hidden } = await requireSparePhoto(trx, url)
  await trx.deleteFrom('dog_images_all').where('url', '=', url).execute()
  await discardCases(trx, 'photo', [url])
  if (hidden === 0) await arrangeGallery(trx, dog_id, now)
}

/**
 * Numbers a dog's shown photos anew, of which the first is its cover.
 * @param place of the one that has been hidden till now
 */
async function arrangeGallery(trx: Trx, dogId: string, updated_at: number, place?: number): Promise<void> {
  const images = await trx
    .selectFrom('dog_images')
    .select(['url', 'order'])
    .where('dog_id', '=', dogId)
    .orderBy('order')
    .execute()
  if (place !== undefined) images.splice(place, 0, ...images.splice(0, 1))
  const moved = images
    .map(({ url, order: before }, order) => ({ url, before, order }))
    .filter((each) => each.before !== each.order)
  // No two have one number: those that make room go first, from the last.
  for (const { url, order } of place === undefined ? moved : moved.toReversed()) await setOrder(trx, url, order)
  await trx.updateTable('dogs_all').set({ photo_url: images[0]!.url, updated_at }).where('id', '=', dogId).execute()
  await publishDogEvent(trx, 'changed', dogId, updated_at)
}
