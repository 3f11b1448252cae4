import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { onlyCause, waitsOnly } from '#db/content.ts'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { resolveBreed } from '#features/breeds/catalogue.server.ts'
import { queueAlerts } from '#features/follows/alerts.server.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { assertAnonymousReviewRoom, assertReviewRoom, type NewReview } from '#features/moderation/reviews.server.ts'
import { TEXT_FLAG_REASONS, findTextFlag } from '#features/moderation/text-filter.ts'
import { provinceOf } from '#features/places/provinces.server.ts'
import { issueSecret } from '#features/secrets/secrets.server.ts'
import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import { AppError } from '#lib/errors.ts'
import { ageInMonths } from '#lib/age.ts'
import { madridDay } from '#lib/dates.ts'
import { getDog } from '#features/dogs/dog.server.ts'
import { type DogInput, FILTERED_FIELDS } from './dog-fields.ts'
import type { Dog, SkippedPhoto } from '#features/dogs/dogs.ts'
import { peopleOf, submitDogForReview, toHiddenDog } from '#features/dogs/hidden-dogs.server.ts'
import { reservePath } from '#features/dogs/paths.server.ts'
import { publishDogEvent } from '#features/dogs/dog-events.server.ts'
import { withNewBreedNotifications } from '#features/dogs/new-breed.server.ts'
import {
  allPhotosRefused,
  assertPhotoCount,
  type DescribedPhoto,
  discardPhotos,
  storeUploads,
  type Upload,
  type UploadSender,
} from './uploads.server.ts'
import { writeDogWords } from '#features/dogs/dog-words.server.ts'
import { deleteExpiredIdempotencyKeys, hashIdempotencyKey, IDEMPOTENCY_KEY_TTL_MS } from './idempotency-keys.server.ts'

export interface NewDog {
  input: DogInput
  uploads: readonly Upload[]
  /** The description of each upload, by its position. */
  alts?: readonly (string | null)[]
  /** Null adds an anonymous dog; the token in the response claims it. */
  userId: string | null
  /** Identifies a repeated request: the sender and the key they chose. */
  idempotency?: { sender: string; key: string } | undefined
  /** Submit an anonymous dog for review before it is shown (HOLD_ANONYMOUS). */
  holdAnonymous?: boolean
  /** Quota of members' dogs that wait for the admin. */
  reviews?: Quota
  /** Bounds anonymous dogs that wait for the admin: how many of all (0: any number), and those of the sender's network. */
  anonymousReviews?: { max: number; quota: Quota }
  /** The sender that its photos count for in the queue and the daily quota. */
  sender?: UploadSender
  /** Checked before a dog is added; a repeated request does not count. */
  quota?: Quota
}

export interface AddedDog {
  dog: Dog
  association?: { token: string }
  skipped: SkippedPhoto[]
}

const sha256 = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest('base64url')
/** What is hashed of a claim token. */
export const toClaimSecret = (token: string) => `claim\0${token}`

/**
 * Adds a dog with its photos, or returns the dog that the same request added before. Writes the photos first and the rows
 * after, so that the transaction does no other I/O. If the rows fail, the photos are deleted.
 * @throws AppError 403 for a banned member; 410 for a repeated request whose dog is hidden from its sender; 422 for no photo, more than
 *   ten, or none that can be read; 429 where it needs a review and too many are open; what `quota`, `reviews` and `sender`
 *   throw
 */
export async function addDog(db: Db, dataDir: string, request: NewDog, now = Date.now()): Promise<AddedDog> {
  assertPhotoCount(request.uploads.length)
  const replay = await replayRequest(db, request, now)
  if (replay) return replay
  const { quota = unlimitedQuota, reviews = unlimitedQuota } = request
  const isCountable = ({ isNew }: { isNew: boolean }) => isNew
  const create = () => createDog(db, dataDir, request, now)
  const { added } = await quota(() => (needsReview(request) ? reviews(create, isCountable) : create()), isCountable)
  return added
}

async function createDog(db: Db, dataDir: string, request: NewDog, now: number) {
  const id = randomUUID()
  // Before the photos are stored: a refused dog uses up none of the day's storage.
  if (request.userId) await assertNotBanned(db, request.userId, now)
  if (needsReview(request)) {
    await assertReviewRoom(db, request.userId)
    if (!request.userId) await assertAnonymousReviewRoom(db, request.anonymousReviews?.max ?? 0)
  }
  const { stored, skipped } = await storeUploads(db, dataDir, id, request.uploads, request.sender)
  const images = stored.flatMap((photo, i): DescribedPhoto[] =>
    photo ? [{ ...photo, alt: request.alts?.[i] ?? null }] : [],
  )
  if (images.length === 0) throw allPhotosRefused(skipped)
  let pending: Dog | undefined
  try {
    const replay = await transact(db, async (trx) => {
      pending = undefined
      // The same request may run twice at once: the second transaction finds the first one's dog.
      const replay = await replayRequest(trx, request, now)
      if (!replay) {
        if (request.userId) await assertNotBanned(trx, request.userId, now)
        if (needsReview(request)) await assertReviewRoom(trx, request.userId)
        const breedSlug = resolveBreed(request.input.breed).slug
        const insert = async () => {
          await insertRows(trx, id, request, images, now)
          pending = await submitIfReviewNeeded(trx, id, request, now)
        }
        await withNewBreedNotifications(trx, { dogId: id, breedSlug, userIds: [request.userId] }, insert, now)
        if (!pending) {
          await publishDogEvent(trx, 'added', id, now)
          await queueAlerts(trx, id, now)
        }
      }
      return replay
    })
    if (replay) {
      await discardPhotos(db, dataDir, id, images)
      return { added: replay, isNew: false }
    }
  } catch (error) {
    await discardPhotos(db, dataDir, id, images)
    throw error
  }
  return { added: { ...(await buildAddedDog(db, request, id, pending)), skipped }, isNew: true }
}

const flagOf = ({ input, alts = [] }: NewDog) => findTextFlag(...FILTERED_FIELDS.map((name) => input[name]), ...alts)
const needsReview = (request: NewDog): boolean =>
  flagOf(request) !== null || (!request.userId && request.holdAnonymous === true)

/** Submits a dog with flagged texts, or an anonymous one where the operator wants that. @returns the dog if it is pending */
async function submitIfReviewNeeded(trx: Trx, id: string, request: NewDog, now: number): Promise<Dog | undefined> {
  const { userId } = request
  const flag = flagOf(request)
  if (!needsReview(request)) return undefined
  const review: Omit<NewReview, 'authorId'> = flag
    ? { cause: 'words', reason: TEXT_FLAG_REASONS[flag] }
    : { cause: 'anonymous', reason: 'Añadido sin cuenta.' }
  const submit = () => submitDogForReview(trx, id, { ...review, authorId: userId }, now)
  if (userId) return submit()
  const { max, quota } = request.anonymousReviews ?? { max: 0, quota: unlimitedQuota }
  await assertAnonymousReviewRoom(trx, max)
  return quota(submit)
}

async function insertRows(trx: Trx, id: string, request: NewDog, images: DescribedPhoto[], now: number) {
  const { input, userId, idempotency } = request
  await insertDog(trx, {
    id,
    input,
    images,
    user_id: userId,
    owner_id: input.relationship === 'owner' ? userId : null,
    discoverer_id: input.relationship === 'discoverer' ? userId : null,
    created_at: now,
    waits: needsReview(request),
  })
  if (!userId) {
    const secret = toClaimSecret(claimTokenOf(request, id))
    await issueSecret(trx, 'dog-claim', { dog_id: id }, now, { secret })
  }
  if (idempotency) {
    await deleteExpiredIdempotencyKeys(trx, now)
    await trx
      .insertInto('idempotency_keys')
      .values({ key: hashIdempotencyKey(idempotency), dog_id: id, created_at: now })
      .execute()
  }
}

const claimTokens = new WeakMap<NewDog, string>()

/**
 * The claim token of an anonymous dog. With an Idempotency-Key it is derived from the key, a secret of the same device, so
 * that a repeated request gets the same token although only its hash is stored.
 */
function claimTokenOf(request: NewDog, dogId: string): string {
  if (request.idempotency) return sha256('token', request.idempotency.sender, request.idempotency.key, dogId)
  let token = claimTokens.get(request)
  if (!token) claimTokens.set(request, (token = randomBytes(32).toString('base64url')))
  return token
}

async function buildAddedDog(db: Db, request: NewDog, id: string, pending?: Dog) {
  return {
    dog: pending ?? (await getDog(db, id)),
    ...(!request.userId && { association: { token: claimTokenOf(request, id) } }),
  }
}

/**
 * The answer to a repeated request, as far as its sender may still read it: a shown dog as everybody sees it, a hidden one
 * only for its people. A visitor gets the claim token only while nobody has claimed the dog.
 * @returns null for a request that has added no dog
 * @throws AppError 410 for a dog that is hidden from the sender
 */
async function replayRequest(db: Db, request: NewDog, now: number): Promise<AddedDog | null> {
  if (!request.idempotency) return null
  const row = await db
    .selectFrom('idempotency_keys as k')
    .innerJoin('dogs_all as d', 'd.id', 'k.dog_id')
    .leftJoin('secrets as s', 's.dog_id', 'k.dog_id')
    .selectAll('d')
    .select('s.hash')
    .where('k.key', '=', hashIdempotencyKey(request.idempotency))
    .where('k.created_at', '>=', now - IDEMPOTENCY_KEY_TTL_MS)
    .executeTakeFirst()
  if (!row) return null
  const { hash, ...dog } = row
  if (dog.hidden === 0 && hash === null) return { dog: await getDog(db, dog.id), skipped: [] }
  if (dog.hidden === 0) return { ...(await buildAddedDog(db, request, dog.id)), skipped: [] }
  // A visitor reads what has waited since they sent it: nobody can edit a dog that nobody has claimed.
  const isReadable = request.userId ? peopleOf(dog).includes(request.userId) : hash !== null && waitsOnly(dog.hidden)
  if (!isReadable) throw new AppError(410, 'Este perro ya no está en el álbum.')
  return { ...(await buildAddedDog(db, request, dog.id, await toHiddenDog(db, dog))), skipped: [] }
}

export interface DogInsert {
  id: string
  input: Omit<DogInput, 'relationship'> & Partial<Pick<DogInput, 'relationship'>>
  /** In order; the first is the cover. */
  images: readonly DescribedPhoto[]
  user_id: string | null
  owner_id: string | null
  discoverer_id: string | null
  created_at: number
  /** Whether nobody sees it until the admin has. */
  waits?: boolean
}

/** Writes a dog whose photos are stored already: its row, address and images. Call it inside a transaction. */
export async function insertDog(trx: Trx, dog: DogInsert): Promise<void> {
  const { id, images, created_at } = dog
  const { breed: typedBreed, relationship: _, ...input } = dog.input
  const breed = resolveBreed(typedBreed)
  // The dog goes first, since its path refers to it. The transaction shows both at once.
  await trx
    .insertInto('dogs_all')
    .values({
      id,
      ...dogColumns(input),
      breed: breed.name,
      breed_slug: breed.slug,
      photo_url: images[0]?.url ?? '',
      user_id: dog.user_id,
      owner_id: dog.owner_id,
      discoverer_id: dog.discoverer_id,
      created_at,
      updated_at: created_at,
      day: madridDay(created_at),
      path_breed: breed.slug,
      path_slug: '',
      hidden: onlyCause(dog.waits ? 'words' : undefined),
    })
    .execute()
  if (!dog.waits) await writeDogWords(trx, id, input.name)
  const path_slug = await reservePath(trx, id, breed.slug, input.name, created_at)
  await trx.updateTable('dogs_all').set({ path_slug }).where('id', '=', id).execute()
  await insertImages(trx, id, images)
}

/** The columns of the form's fields, except the two of the breed. */
export function dogColumns(input: Omit<DogInput, 'relationship' | 'breed'>) {
  return {
    ...input,
    age_months: ageInMonths(input.age, input.age_unit),
    province: provinceOf(input.zone),
    is_adopted: input.is_adopted ? (1 as const) : (0 as const),
  }
}

/** Writes the gallery in order, numbered from 0. */
export async function insertImages(trx: Trx, dogId: string, images: readonly DescribedPhoto[]): Promise<void> {
  if (images.length === 0) return
  const rows = images.map(({ url, width, height, blur, alt = null }, order) => ({
    dog_id: dogId,
    url,
    width,
    height,
    blur,
    alt,
    order,
  }))
  await trx.insertInto('dog_images_all').values(rows).execute()
}
