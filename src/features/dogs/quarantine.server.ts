import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import type {
  CommentsTable,
  DogClaimsTable,
  DogImagesTable,
  DogLikesTable,
  OwnershipRequestsTable,
} from '#db/schema.ts'
import { restoreComments } from '#features/comments/quarantine.server.ts'
import { restoreLikes } from '#features/likes/quarantine.server.ts'
import {
  type QuarantinedItem,
  type QuarantineCause,
  findQuarantined,
  quarantine,
  takeFromQuarantine,
} from '#features/moderation/quarantine.server.ts'
import { openReviewCase } from '#features/moderation/cases.server.ts'
import { deleteDogNotifications } from '#features/notifications/notifications.server.ts'
import { quarantinePhotos } from '#features/photos/quarantine.server.ts'
import { planQuarantine } from '#features/photos/planned-moves.server.ts'
import { quarantinedPhotoUrl } from '#features/photos/photos.ts'
import { provinceOf } from '#features/places/provinces.server.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { type DogRow, dogNotFound } from './dog.server.ts'
import type { Dog } from './dogs.ts'
import { publishDogEvent } from './dog-events.server.ts'
import { withNewBreedNotifications } from './new-breed.server.ts'

/** A dog out of sight: every row of it and of what hangs on it, so that it comes back as it was. */
export interface QuarantinedDog {
  dog: DogRow
  images: Selectable<DogImagesTable>[]
  likes: Selectable<DogLikesTable>[]
  comments: Selectable<CommentsTable>[]
  claims: Selectable<DogClaimsTable>[]
  requests: Selectable<OwnershipRequestsTable>[]
  /** Its addresses, which answer 410 meanwhile. */
  paths: { breed_slug: string; slug: string }[]
  keys: { key: string; created_at: number }[]
}

export const parseQuarantinedDog = (held: QuarantinedItem): QuarantinedDog =>
  JSON.parse(held.snapshot) as QuarantinedDog
export const participantsOf = ({ dog }: QuarantinedDog) => [dog.owner_id, dog.discoverer_id, dog.user_id]

/** Addresses of photos from now on, by those they had: an address somebody kept shows nothing any more. */
export type RenamedPhotos = ReadonlyMap<string, string>

/**
 * Takes a dog out of sight with everything on it: its rows go from their tables, as if it were deleted, and lie whole in
 * `held`. Call it in the deed's own transaction, and `settlePhotos` once that has held.
 * @throws AppError 404
 */
export async function quarantineDog(
  trx: Db,
  id: string,
  cause: QuarantineCause,
  now = Date.now(),
): Promise<QuarantinedDog> {
  const dog = await trx.selectFrom('dogs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!dog) throw dogNotFound()
  const of = <T extends 'dog_likes' | 'comments' | 'dog_claims' | 'ownership_requests' | 'idempotency_keys'>(
    table: T,
  ) =>
    trx
      .selectFrom(table as 'comments')
      .selectAll()
      .where('dog_id', '=', id)
      .execute()
  const images = await trx.selectFrom('dog_images').selectAll().where('dog_id', '=', id).orderBy('order').execute()
  const whole: QuarantinedDog = {
    dog,
    images,
    likes: await of('dog_likes'),
    comments: await of('comments'),
    claims: (await of('dog_claims')) as unknown as QuarantinedDog['claims'],
    requests: (await of('ownership_requests')) as unknown as QuarantinedDog['requests'],
    paths: await trx.selectFrom('dog_paths').select(['breed_slug', 'slug']).where('dog_id', '=', id).execute(),
    keys: (await of('idempotency_keys')) as unknown as QuarantinedDog['keys'],
  }
  await deleteDogNotifications(trx, id)
  await trx.deleteFrom('dogs').where('id', '=', id).execute()
  await quarantine(
    trx,
    {
      kind: 'dog',
      id,
      dogId: id,
      people: [dog.owner_id, dog.discoverer_id, dog.user_id],
      path: dog,
      idempotencyKey: whole.keys[0]?.key ?? null,
      cause,
      snapshot: whole,
    },
    now,
  )
  await planQuarantine(trx, { dogId: id, urls: photoUrlsOf(whole) })
  await publishDogEvent(trx, 'removed', id, now)
  return whole
}

/**
 * Puts a held dog back where it was, with likes and comments of those who are still members.
 * @param renamed its photos' new addresses (`releasePhotos`)
 * @throws AppError 404 when it is not held
 */
export async function restoreDog(
  trx: Db,
  id: string,
  renamed: RenamedPhotos = new Map(),
  now = Date.now(),
): Promise<QuarantinedDog> {
  const held = await takeFromQuarantine(trx, 'dog', id)
  if (!held) throw dogNotFound()
  const whole = parseQuarantinedDog(held)
  const { claims, requests } = whole
  const newUrl = (url: string) => renamed.get(url) ?? url
  const dog = { ...whole.dog, photo_url: newUrl(whole.dog.photo_url) }
  const images = whole.images.map((image) => ({ ...image, url: newUrl(image.url) }))
  const insert = async () => {
    // Counts begin at nothing: the triggers count what comes back.
    await trx
      .insertInto('dogs')
      .values({ ...dog, province: provinceOf(dog.zone), votes: 0, comments_count: 0, updated_at: now })
      .execute()
    if (images.length > 0) await trx.insertInto('dog_images').values(images).execute()
    if (claims.length > 0) await trx.insertInto('dog_claims').values(claims).execute()
  }
  // What was never seen is news to its people now.
  const isNew = held.cause === 'words' || held.cause === 'anonymous'
  const userIds = isNew ? [dog.owner_id, dog.discoverer_id] : []
  await withNewBreedNotifications(trx, { dogId: id, breedSlug: dog.breed_slug, userIds }, insert, now)
  for (const { breed_slug, slug } of whole.paths)
    await trx
      .updateTable('dog_paths')
      .set({ dog_id: id })
      .where('breed_slug', '=', breed_slug)
      .where('slug', '=', slug)
      .execute()
  for (const key of whole.keys)
    await trx
      .insertInto('idempotency_keys')
      .values({ ...key, dog_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await restoreLikes(trx, whole.likes)
  await restoreComments(trx, whole.comments)
  for (const request of requests) {
    const asker = await trx.selectFrom('users').select('id').where('id', '=', request.user_id).executeTakeFirst()
    if (asker) await trx.insertInto('ownership_requests').values(request).execute()
  }
  await publishDogEvent(trx, 'added', id, now)
  return whole
}

/** A held dog as its people see it. */
export function toQuarantinedDogView({ dog: row, images }: QuarantinedDog): Dog {
  const {
    votes,
    comments_count,
    path_breed,
    path_slug,
    province: _p,
    age_months: _,
    updated_at: __,
    day: ___,
    ...dog
  } = row
  return {
    ...dog,
    photo_url: quarantinedPhotoUrl(row.photo_url),
    is_adopted: row.is_adopted === 1,
    likes: votes,
    votes,
    comments: comments_count,
    path: paths.dog({ path_breed, path_slug }),
    card: null,
    blur: null,
    images: images.map(({ url, order, width, height, alt }) => ({
      url: quarantinedPhotoUrl(url),
      order,
      width,
      height,
      alt: alt ?? null,
    })),
    waits: true,
  }
}

/**
 * Keeps a dog that was just written from being shown before the admin has looked at it. Call it in the deed's own
 * transaction, and `settlePhotos` once that has held.
 */
export async function submitDogForReview(
  trx: Db,
  id: string,
  cause: 'words' | 'anonymous',
  why: string,
  now = Date.now(),
): Promise<Dog> {
  const whole = await quarantineDog(trx, id, cause, now)
  const what = `${whole.dog.name}, ${whole.dog.breed}`
  await openReviewCase(trx, { kind: 'dog', id, dogId: id, people: participantsOf(whole), what }, cause, why, now)
  return toQuarantinedDogView(whole)
}

/** A photo out of sight. */
export interface QuarantinedPhoto {
  image: Selectable<DogImagesTable>
  /** «Foto de Toby, Beagle» */
  what: string
}

/**
 * Takes one photo out of its dog's gallery. The last one cannot go alone: its dog is to be hidden then. Call
 * `settlePhotos` once the transaction has held.
 * @throws AppError 404; 409 for the only photo of its dog
 */
export async function quarantinePhoto(trx: Db, url: string, cause: QuarantineCause, now = Date.now()): Promise<void> {
  const image = await trx.selectFrom('dog_images').selectAll().where('url', '=', url).executeTakeFirst()
  const dog = image && (await trx.selectFrom('dogs').selectAll().where('id', '=', image.dog_id).executeTakeFirst())
  if (!dog) throw dogNotFound()
  const rest = await trx
    .selectFrom('dog_images')
    .selectAll()
    .where('dog_id', '=', dog.id)
    .where('url', '!=', url)
    .orderBy('order')
    .execute()
  if (rest.length === 0) throw new AppError(409, 'Es la única foto del perro: oculta la ficha entera.')
  await writeGallery(trx, dog.id, rest, now)
  const what = `Foto de ${dog.name}, ${dog.breed}`
  const snapshot: QuarantinedPhoto = { image: image!, what }
  const people = [dog.owner_id, dog.discoverer_id, dog.user_id]
  await quarantine(trx, { kind: 'photo', id: url, dogId: dog.id, people, cause, snapshot }, now)
  await planQuarantine(trx, { dogId: dog.id, urls: [url] })
}

/**
 * The photos of something held: from the fields that hold photos, never from words, in which anybody may write an address
 * of somebody else's photo.
 */
export function photosOfQuarantined({ kind, snapshot }: Pick<QuarantinedItem, 'kind' | 'snapshot'>): string[] {
  if (kind === 'photo') return [(JSON.parse(snapshot) as QuarantinedPhoto).image.url]
  if (kind !== 'dog') return []
  return photoUrlsOf(JSON.parse(snapshot) as QuarantinedDog)
}

const photoUrlsOf = ({ dog, images }: QuarantinedDog): string[] => [
  ...new Set([...images.map(({ url }) => url), dog.photo_url]),
]

/**
 * Moves the photos of all that is held out of public reach, at the start: what an older release or a restored backup left in
 * public. What cannot be moved is logged.
 */
export async function hideQuarantinedPhotos(db: Db, dataDir: string): Promise<void> {
  const rows = db.selectFrom('held').select(['kind', 'dog_id', 'snapshot']).where('kind', 'in', ['dog', 'photo'])
  for (const row of await rows.execute()) {
    const photos = { dogId: row.dog_id ?? '', urls: photosOfQuarantined(row) }
    await quarantinePhotos(dataDir, photos).catch((error: unknown) =>
      console.error('Photos out of sight that are still public:', photos, error),
    )
  }
}

/**
 * Puts a held photo back, as the last of its dog's.
 * @param renamed its new address
 * @throws AppError 404; 409 while the dog itself is not there
 */
export async function restorePhoto(trx: Db, url: string, renamed: RenamedPhotos, now = Date.now()): Promise<void> {
  const held = await findQuarantined(trx, 'photo', url)
  if (!held) throw dogNotFound()
  const { image } = JSON.parse(held.snapshot) as QuarantinedPhoto
  const dog = await trx.selectFrom('dogs').select('id').where('id', '=', image.dog_id).executeTakeFirst()
  if (!dog) throw new AppError(409, 'Su perro está oculto: restáuralo primero.')
  await takeFromQuarantine(trx, 'photo', url)
  const there = await trx.selectFrom('dog_images').selectAll().where('dog_id', '=', dog.id).orderBy('order').execute()
  await writeGallery(trx, dog.id, [...there, { ...image, url: renamed.get(image.url) ?? image.url }], now)
}

async function writeGallery(trx: Db, id: string, images: readonly Selectable<DogImagesTable>[], now: number) {
  await trx.deleteFrom('dog_images').where('dog_id', '=', id).execute()
  await trx
    .insertInto('dog_images')
    .values(images.map((image, order) => ({ ...image, order })))
    .execute()
  await trx.updateTable('dogs').set({ photo_url: images[0]!.url, updated_at: now }).where('id', '=', id).execute()
  await publishDogEvent(trx, 'changed', id, now)
}
