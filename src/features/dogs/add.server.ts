import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { resolveBreed } from '#features/breeds/catalogue.server.ts'
import { mustWrite } from '#features/moderation/bans.server.ts'
import { heldByKey } from '#features/moderation/held.server.ts'
import { DOUBT_REASONS, doubtOf } from '#features/moderation/words.ts'
import { settlePhotos } from '#features/photos/settle-moves.server.ts'
import { provinceOf } from '#features/places/provinces.server.ts'
import { type Admit, admitAll } from '#lib/admit.ts'
import { ageInMonths } from '#lib/age.ts'
import { madridDay } from '#lib/dates.ts'
import { getDog } from './dog.server.ts'
import type { DogInput } from './dogInput.ts'
import type { Dog, SkippedPhoto } from './dogs.ts'
import { dogOfHeld, heldDog, holdForAdmin } from './hold.server.ts'
import { claimPath } from './paths.server.ts'
import { tellDog } from './tell.server.ts'
import { tellingNewBreeds } from './unlock.server.ts'
import {
  allRefused,
  checkPhotoCount,
  type DescribedPhoto,
  discard,
  storeUploads,
  type Upload,
  type Uploader,
} from './uploads.server.ts'

export interface NewDog {
  input: DogInput
  uploads: readonly Upload[]
  /** What is said of each of them, by its place. */
  alts?: readonly (string | null)[]
  /** Null adds an anonymous dog, which whoever holds the answer's token may claim. */
  userId: string | null
  /** What tells a repeated request from a new one: the sender and the key they chose. */
  idempotency?: { sender: string; key: string } | undefined
  /** Of an anonymous dog: the admin looks at it before anybody else does (HOLD_ANONYMOUS). */
  holdAnonymous?: boolean
  /** Whose turn its photos take, and out of whose allowance. */
  sender?: Uploader
  /** Asked before a dog is added; not for a repeated request. */
  admit?: Admit
}

export interface AddedDog {
  dog: Dog
  association?: { token: string }
  skipped: SkippedPhoto[]
}

/** How long a repeated request answers with the first one's dog: a phone may be without network for weeks. */
const KEY_LIFE = 30 * 86_400_000

const sha256 = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest('base64url')
export const hashToken = (token: string) => sha256('claim', token)

/**
 * Adds a dog with its photos, or answers with the dog that the same request added before. Photos are written first and
 * rows after, in one transaction that waits for nothing; should the rows fail, the photos go again.
 * @throws AppError 403 for who may not write; 422 for no photo, more than ten, or none that can be read; what `admit` says
 */
export async function addDog(db: Db, dataDir: string, request: NewDog, now = Date.now()): Promise<AddedDog> {
  checkPhotoCount(request.uploads.length)
  const before = await replay(db, request, now)
  if (before) return before
  const { admit = admitAll } = request
  const { added } = await admit(
    () => addNew(db, dataDir, request, now),
    ({ isNew }) => isNew,
  )
  return added
}

async function addNew(db: Db, dataDir: string, request: NewDog, now: number) {
  const id = randomUUID()
  const { stored, skipped } = await storeUploads(dataDir, id, request.uploads, request.sender)
  const images = stored.flatMap((photo, i): DescribedPhoto[] =>
    photo ? [{ ...photo, alt: request.alts?.[i] ?? null }] : [],
  )
  if (images.length === 0) throw allRefused(skipped)
  let waiting: Dog | undefined
  try {
    const meanwhile = await db.transaction().execute(async (trx) => {
      // The same request may have been sent twice at once: the second to come here finds the first one's dog.
      const twin = await replay(trx, request, now)
      if (!twin) {
        if (request.userId) await mustWrite(trx, request.userId, now)
        const breedSlug = resolveBreed(request.input.breed).slug
        const insert = async () => {
          await insertRows(trx, id, request, images, now)
          waiting = await holdDoubtful(trx, id, request, now)
        }
        await tellingNewBreeds(trx, { dogId: id, breedSlug, userIds: [request.userId] }, insert, now)
        if (!waiting) await tellDog(trx, 'added', id, now)
      }
      return twin
    })
    if (meanwhile) {
      await discard(dataDir, id, images)
      return { added: meanwhile, isNew: false }
    }
  } catch (error) {
    await discard(dataDir, id, images)
    throw error
  }
  if (waiting) await settlePhotos(db, dataDir, id)
  return { added: { ...(await answer(db, request, id, waiting)), skipped }, isNew: true }
}

/** What is doubtful waits for the admin. @returns the dog as its people see it, if it waits */
async function holdDoubtful(trx: Db, id: string, { input, alts = [], userId, holdAnonymous }: NewDog, now: number) {
  const doubt = doubtOf(input.name, input.description, input.breed, input.zone, ...alts)
  if (doubt) return holdForAdmin(trx, id, 'words', DOUBT_REASONS[doubt], now)
  return !userId && holdAnonymous ? holdForAdmin(trx, id, 'anonymous', 'Añadido sin cuenta.', now) : undefined
}

async function insertRows(trx: Db, id: string, request: NewDog, images: DescribedPhoto[], now: number) {
  const { input, userId, idempotency } = request
  await insertDog(trx, {
    id,
    input,
    images,
    user_id: userId,
    owner_id: input.relationship === 'owner' ? userId : null,
    discoverer_id: input.relationship === 'discoverer' ? userId : null,
    created_at: now,
  })
  if (!userId)
    await trx
      .insertInto('dog_claims')
      .values({ dog_id: id, token_hash: hashToken(tokenFor(request, id)), created_at: now })
      .execute()
  if (idempotency) {
    await forgetKeys(trx, now)
    await trx
      .insertInto('idempotency_keys')
      .values({ key: keyOf(idempotency), dog_id: id, created_at: now })
      .execute()
  }
}

/** Takes the keys that are too old to answer for. @returns how many */
export async function forgetKeys(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', now - KEY_LIFE)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const keyOf = ({ sender, key }: { sender: string; key: string }) => sha256('add', sender, key)

const tokens = new WeakMap<NewDog, string>()

/**
 * The claim token of an anonymous dog. With an Idempotency-Key it is made from that key, a secret of the same device, so
 * that a repeated request gets the same answer although only the token's hash is kept.
 */
function tokenFor(request: NewDog, dogId: string): string {
  if (request.idempotency) return sha256('token', request.idempotency.sender, request.idempotency.key, dogId)
  let token = tokens.get(request)
  if (!token) tokens.set(request, (token = randomBytes(32).toString('base64url')))
  return token
}

async function answer(db: Db, request: NewDog, id: string, waiting?: Dog) {
  return {
    dog: waiting ?? (await getDog(db, id)),
    ...(!request.userId && { association: { token: tokenFor(request, id) } }),
  }
}

async function replay(db: Db, request: NewDog, now: number): Promise<AddedDog | null> {
  if (!request.idempotency) return null
  const row = await db
    .selectFrom('idempotency_keys')
    .select('dog_id')
    .where('key', '=', keyOf(request.idempotency))
    .where('created_at', '>=', now - KEY_LIFE)
    .executeTakeFirst()
  if (row) return { ...(await answer(db, request, row.dog_id)), skipped: [] }
  const held = await heldByKey(db, keyOf(request.idempotency))
  return held ? { ...(await answer(db, request, held.thing_id, dogOfHeld(heldDog(held)))), skipped: [] } : null
}

export interface DogRows {
  id: string
  input: Omit<DogInput, 'relationship'>
  /** In order; the first is the cover. */
  images: readonly DescribedPhoto[]
  user_id: string | null
  owner_id: string | null
  discoverer_id: string | null
  created_at: number
}

/** Writes a dog whose photos are stored already: its row, address and images. Call it inside a transaction. */
export async function insertDog(trx: Db, dog: DogRows): Promise<void> {
  const { id, input, images, created_at } = dog
  const breed = resolveBreed(input.breed)
  // The dog comes before its address, which refers to it; both are seen at once.
  await trx
    .insertInto('dogs')
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
    })
    .execute()
  const path_slug = await claimPath(trx, id, breed.slug, input.name, created_at)
  await trx.updateTable('dogs').set({ path_slug }).where('id', '=', id).execute()
  await insertImages(trx, id, images)
}

/** The columns a person fills in, without the breed, which has two. */
export function dogColumns(input: Omit<DogInput, 'relationship' | 'breed'>) {
  return {
    name: input.name,
    age: input.age,
    age_unit: input.age_unit,
    age_months: ageInMonths(input.age, input.age_unit),
    weight: input.weight,
    zone: input.zone,
    province: provinceOf(input.zone),
    is_adopted: input.is_adopted ? (1 as const) : (0 as const),
    description: input.description,
    size: input.size,
  }
}

/** Writes the gallery in order, numbered from 0. */
export async function insertImages(trx: Db, dogId: string, images: readonly DescribedPhoto[]): Promise<void> {
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
  await trx.insertInto('dog_images').values(rows).execute()
}
