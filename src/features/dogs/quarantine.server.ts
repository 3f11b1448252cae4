import type { Selectable } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import type { DogClaimsTable, DogImagesTable } from '#db/schema.ts'
import {
  copyRowsToQuarantine,
  countQuarantinedRows,
  deleteQuarantinedRows,
  MOVED_TABLES,
} from '#db/quarantined-rows.ts'
import {
  type QuarantinedContent,
  type QuarantineCause,
  deleteQuarantinedOfDog,
  listQuarantinedPhotos,
  quarantine,
  readQuarantined,
  takeFromQuarantine,
} from '#features/moderation/quarantine.server.ts'
import { setProposed } from '#features/moderation/cases.server.ts'
import { type NewReview, openReviewCase } from '#features/moderation/reviews.server.ts'
import { deleteDogNotifications } from '#features/notifications/notifications.server.ts'
import { deleteDogTargetNotifications } from '#features/notifications/target-notifications.server.ts'
import { eraseDog as eraseOpinions } from '#features/opinions/erase.server.ts'
import { quarantinePhotos } from '#features/photos/quarantine.server.ts'
import { planQuarantine } from '#features/photos/planned-moves.server.ts'
import { quarantinedPhotoUrl } from '#features/photos/photos.ts'
import { provinceOf } from '#features/places/provinces.server.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { dogInSentence } from '#lib/text/names.ts'
import { type DogRow, dogNotFound } from './dog.server.ts'
import { type Dog, displayName } from './dogs.ts'
import { publishDogEvent, publishHiddenDog } from './dog-events.server.ts'
import { withNewBreedNotifications } from './new-breed.server.ts'
import type { QuarantineOptions } from './quarantined-rows.server.ts'
import { writeDogWords } from './dog-words.server.ts'
import { restorePaths } from '#features/dogs/paths.server.ts'

/**
 * The snapshot of a quarantined dog: its rows, so that a restore is complete. Its comments, likes and requests are rows of
 * `held_comments`, `held_likes` and `held_requests`.
 */
export interface QuarantinedDog {
  dog: DogRow
  images: Selectable<DogImagesTable>[]
  claims: Selectable<DogClaimsTable>[]
  /** Its paths, which answer 410 meanwhile. */
  paths: { breed_slug: string; slug: string }[]
  keys: { key: string; created_at: number }[]
}

export const parseQuarantinedDog = ({ snapshot }: Pick<QuarantinedContent, 'snapshot'>): QuarantinedDog =>
  JSON.parse(snapshot) as QuarantinedDog
export const participantsOf = ({ dog }: Pick<QuarantinedDog, 'dog'>) => [dog.owner_id, dog.discoverer_id, dog.user_id]

/** New photo URLs by old ones. A restored photo gets a new URL, so that links saved earlier stay dead. */
export type RenamedPhotos = ReadonlyMap<string, string>

/**
 * Quarantines a dog with all that refers to it: deletes its rows and stores them as a snapshot in `held`. Call it inside
 * `withRowsInQuarantine`, and `applyPhotoMoves` after the commit.
 * @throws AppError 404
 */
export async function quarantineDog(
  trx: Trx,
  id: string,
  cause: QuarantineCause,
  now = Date.now(),
  { isDryRun = false }: QuarantineOptions = {},
): Promise<QuarantinedDog> {
  const dog = await trx.selectFrom('dogs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!dog) throw dogNotFound()
  if (!isDryRun) for (const table of MOVED_TABLES) await copyRowsToQuarantine(trx, table, id)
  const images = await trx.selectFrom('dog_images').selectAll().where('dog_id', '=', id).orderBy('order').execute()
  const snapshot: QuarantinedDog = {
    // What has moved before no longer counts in the row.
    dog: {
      ...dog,
      votes: await countQuarantinedRows(trx, 'dog_likes', id),
      comments_count: await countQuarantinedRows(trx, 'comments_all', id),
    },
    images,
    claims: await trx.selectFrom('dog_claims').selectAll().where('dog_id', '=', id).execute(),
    paths: await trx.selectFrom('dog_paths').select(['breed_slug', 'slug']).where('dog_id', '=', id).execute(),
    keys: await trx.selectFrom('idempotency_keys').select(['key', 'created_at']).where('dog_id', '=', id).execute(),
  }
  await quarantine(
    trx,
    {
      kind: 'dog',
      id,
      dogId: id,
      memberIds: [dog.owner_id, dog.discoverer_id, dog.user_id],
      roles: dog,
      claimHash: snapshot.claims[0]?.token_hash ?? null,
      photos: photoUrlsOf(snapshot),
      path: dog,
      idempotencyKey: snapshot.keys[0]?.key ?? null,
      cause,
      snapshot,
    },
    now,
  )
  await planQuarantine(trx, { dogId: id, urls: photoUrlsOf(snapshot) })
  if (isDryRun) return snapshot
  await deleteDogNotifications(trx, id)
  await trx.deleteFrom('dogs').where('id', '=', id).execute()
  await publishHiddenDog(trx, id, now)
  return snapshot
}

/**
 * Restores a quarantined dog. Its likes and comments follow after the commit (`restoreRowsOfDog`).
 * @param renamed its photos' new URLs (`releasePhotos`)
 * @throws AppError 404 when it is not quarantined
 */
export async function restoreDog(
  trx: Trx,
  id: string,
  renamed: RenamedPhotos = new Map(),
  now = Date.now(),
): Promise<QuarantinedDog> {
  const item = await takeFromQuarantine(trx, 'dog', id)
  if (!item) throw dogNotFound()
  const snapshot = parseQuarantinedDog(item)
  const { claims } = snapshot
  const newUrl = (url: string) => renamed.get(url) ?? url
  const dog = { ...snapshot.dog, photo_url: newUrl(snapshot.dog.photo_url) }
  const images = snapshot.images.map((image) => ({ ...image, url: newUrl(image.url) }))
  const insert = async () => {
    // Counts start at 0: triggers count the restored rows.
    await trx
      .insertInto('dogs')
      .values({ ...dog, province: provinceOf(dog.zone), votes: 0, comments_count: 0, updated_at: now })
      .execute()
    await writeDogWords(trx, id, dog.name)
    if (images.length > 0) await trx.insertInto('dog_images').values(images).execute()
    if (claims.length > 0) await trx.insertInto('dog_claims').values(claims).execute()
  }
  // A dog never shown before may be the first of its breed in its participants' albums.
  const isNew = item.cause === 'words' || item.cause === 'anonymous'
  const userIds = isNew ? [dog.owner_id, dog.discoverer_id] : []
  await withNewBreedNotifications(trx, { dogId: id, breedSlug: dog.breed_slug, userIds }, insert, now)
  await restorePaths(trx, id, snapshot.paths)
  for (const key of snapshot.keys)
    await trx
      .insertInto('idempotency_keys')
      .values({ ...key, dog_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await publishDogEvent(trx, 'added', id, now)
  return snapshot
}

/** A quarantined dog in the form that its participants see. */
export function toQuarantinedDogView({ dog: row, images }: QuarantinedDog): Dog {
  const {
    votes,
    comments_count,
    path_breed,
    path_slug,
    province: _province,
    age_months: _ageMonths,
    updated_at: _updatedAt,
    day: _day,
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
 * Quarantines a dog that was just written until the admin has reviewed it, and opens its case. Call it inside the action's
 * transaction, and `applyPhotoMoves` after the commit.
 */
export async function submitDogForReview(trx: Trx, id: string, review: NewReview, now = Date.now()): Promise<Dog> {
  const snapshot = await quarantineDog(trx, id, review.cause, now)
  const label = `${displayName(snapshot.dog.name)}, ${snapshot.dog.breed}`
  await openReviewCase(trx, { kind: 'dog', id, dogId: id, memberIds: participantsOf(snapshot), label }, review, now)
  return toQuarantinedDogView(snapshot)
}

/** Deletes, in the transaction that deletes a dog, what is quarantined of it and what refers to its id. @returns its photos' URLs */
export async function deleteQuarantinedRowsOfDog(trx: Trx, id: string): Promise<string[]> {
  for (const table of MOVED_TABLES) await deleteQuarantinedRows(trx, table, { dogId: id }, Number.MAX_SAFE_INTEGER)
  await eraseOpinions(trx, id, Number.MAX_SAFE_INTEGER)
  await deleteDogTargetNotifications(trx, id)
  await setProposed(trx, id, null)
  return deleteQuarantinedOfDog(trx, id)
}

export const ONLY_PHOTO_ERROR = 'Es la única foto del perro: oculta la ficha entera.'

/** The snapshot of a quarantined photo. */
export interface QuarantinedPhoto {
  image: Selectable<DogImagesTable>
  /** «Foto de Toby, Beagle» */
  what: string
}

/**
 * Quarantines one photo of a dog. The only photo cannot be quarantined: the whole dog can. Call it inside a transaction,
 * and `applyPhotoMoves` after the commit.
 * @throws AppError 404; 409 for the only photo of its dog
 */
export async function quarantinePhoto(trx: Trx, url: string, cause: QuarantineCause, now = Date.now()): Promise<void> {
  const image = await trx.selectFrom('dog_images').selectAll().where('url', '=', url).executeTakeFirst()
  const dog = image && (await trx.selectFrom('dogs').selectAll().where('id', '=', image.dog_id).executeTakeFirst())
  if (!image || !dog) throw dogNotFound()
  const remaining = await trx
    .selectFrom('dog_images')
    .selectAll()
    .where('dog_id', '=', dog.id)
    .where('url', '!=', url)
    .orderBy('order')
    .execute()
  if (remaining.length === 0) throw new AppError(409, ONLY_PHOTO_ERROR)
  await writeGallery(trx, dog.id, remaining, now)
  const label = `Foto ${dogInSentence(dog.name, 'de')}, ${dog.breed}`
  const snapshot: QuarantinedPhoto = { image: image!, what: label }
  const memberIds = [dog.owner_id, dog.discoverer_id, dog.user_id]
  await quarantine(trx, { kind: 'photo', id: url, dogId: dog.id, memberIds, photos: [url], cause, snapshot }, now)
  await planQuarantine(trx, { dogId: dog.id, urls: [url] })
}

/** The photo URLs of a snapshot in order, from its photo fields only: a text may contain the URL of another dog's photo. */
export function photosOfQuarantined({ kind, snapshot }: Pick<QuarantinedContent, 'kind' | 'snapshot'>): string[] {
  if (kind === 'photo') return [(JSON.parse(snapshot) as QuarantinedPhoto).image.url]
  if (kind !== 'dog') return []
  return photoUrlsOf(JSON.parse(snapshot) as QuarantinedDog)
}

const photoUrlsOf = ({ dog, images }: QuarantinedDog): string[] => [
  ...new Set([...images.map(({ url }) => url), dog.photo_url]),
]

/**
 * Hides the photos of all quarantined items, at start-up: an older release or a restored backup may have left them public.
 * Failures are logged.
 */
export async function hideQuarantinedPhotos(db: Db, dataDir: string): Promise<void> {
  const rows = db.selectFrom('held').select(['kind', 'thing_id', 'dog_id']).where('kind', 'in', ['dog', 'photo'])
  for (const row of await rows.execute()) {
    const photos = { dogId: row.dog_id ?? '', urls: await listQuarantinedPhotos(db, row) }
    await quarantinePhotos(dataDir, photos).catch((error: unknown) =>
      console.error('perrario · fotos en cuarentena que aún se pueden ver:', photos, error),
    )
  }
}

/**
 * Restores a quarantined photo as the last of its dog's.
 * @param renamed its new URL
 * @throws AppError 404; 409 while the dog itself is quarantined or deleted
 */
export async function restorePhoto(trx: Trx, url: string, renamed: RenamedPhotos, now = Date.now()): Promise<void> {
  const item = await readQuarantined(trx, 'photo', url)
  if (!item) throw dogNotFound()
  const { image } = JSON.parse(item.snapshot) as QuarantinedPhoto
  const dog = await trx.selectFrom('dogs').select('id').where('id', '=', image.dog_id).executeTakeFirst()
  if (!dog) throw new AppError(409, 'Su perro está oculto: restáuralo primero.')
  await takeFromQuarantine(trx, 'photo', url)
  const current = await trx.selectFrom('dog_images').selectAll().where('dog_id', '=', dog.id).orderBy('order').execute()
  await writeGallery(trx, dog.id, [...current, { ...image, url: renamed.get(image.url) ?? image.url }], now)
}

async function writeGallery(trx: Trx, id: string, images: readonly Selectable<DogImagesTable>[], now: number) {
  await trx.deleteFrom('dog_images').where('dog_id', '=', id).execute()
  await trx
    .insertInto('dog_images')
    .values(images.map((image, order) => ({ ...image, order })))
    .execute()
  await trx.updateTable('dogs').set({ photo_url: images[0]!.url, updated_at: now }).where('id', '=', id).execute()
  await publishDogEvent(trx, 'changed', id, now)
}
