import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { markTargetEdited } from '#features/moderation/cases.server.ts'
import { assertReviewRoom } from '#features/moderation/reviews.server.ts'
import { findTextFlag } from '#features/moderation/text-filter.ts'
import { deleteTargetNotifications } from '#features/notifications/target-notifications.server.ts'
import { applyPhotoMoves, planRemoval } from '#features/photos/planned-moves.server.ts'
import { invalid } from '#lib/errors.ts'
import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import { insertImages } from './add.server.ts'
import { getDog } from '#features/dogs/dog.server.ts'
import type { Dog, SkippedPhoto } from '#features/dogs/dogs.ts'
import type { Requester } from '#lib/auth/current-user.ts'
import { requireEditableDog } from './edit.server.ts'
import { proposeTexts } from '#features/dogs/proposed-texts.server.ts'
import { publishDogEvent } from '#features/dogs/dog-events.server.ts'
import {
  allPhotosRefused,
  assertPhotoCount,
  type DescribedPhoto,
  discardPhotos,
  storeUploads,
  type Upload,
  type UploadSender,
} from './uploads.server.ts'

/** One position of the gallery: the URL of a stored photo, or a new photo. */
export type GalleryPart = string | Upload

export interface GalleryOptions {
  /** The description of each part, by its position: null removes it; undefined keeps the stored one. */
  alts?: readonly (string | null | undefined)[]
  /** The sender that the new photos count for in the queue and the daily quota. */
  sender?: UploadSender
  /** Quota of what waits for the admin. */
  reviews?: Quota
  /** The time of the edit, ms; default: that of its transaction, which comes after every look at the gallery before. */
  now?: number
}

const galleryError = (detail: string) => invalid(detail, { images: detail })

/**
 * Replaces the gallery by `parts`, in order; the first is the cover. A new photo that cannot be read is skipped and
 * reported. A new description that the filter doubts is put to the review, and the one of before stays.
 * @throws AppError 401, 403, 404; 422 for no part, more than ten, a URL of another dog's photo, or no photo left; 429 where a
 *   description needs a review and too many are open; what `sender` and `reviews` throw
 */
export async function replaceGallery(
  db: Db,
  dataDir: string,
  requester: Requester,
  id: string,
  parts: readonly GalleryPart[],
  options: GalleryOptions = {},
): Promise<{ dog: Dog; skipped: SkippedPhoto[] }> {
  const { alts = [], reviews = unlimitedQuota } = options
  const { user } = await requireEditableDog(db, requester, id)
  assertPhotoCount(parts.length)
  const present = selectRetainedPhotos(await findPhotos(db, id), parts)
  const newAlts = parts.map((part, i) =>
    typeof part === 'string' && present.get(part)?.alt === alts[i] ? null : alts[i],
  )
  const isFlagged = findTextFlag(...newAlts) !== null
  // Before the photos are stored: a refused edit uses up none of the day's storage.
  if (isFlagged) await assertReviewRoom(db, user.id, id)
  const store = () => storeGallery(db, dataDir, user, id, parts, options)
  return isFlagged ? reviews(store, ({ dog }) => dog.in_review !== undefined) : store()
}

/** The same, once it may be stored. */
async function storeGallery(
  db: Db,
  dataDir: string,
  user: { id: string },
  id: string,
  parts: readonly GalleryPart[],
  { alts = [], sender, now: at }: GalleryOptions,
): Promise<{ dog: Dog; skipped: SkippedPhoto[] }> {
  const { stored, skipped } = await storeUploads(
    db,
    dataDir,
    id,
    parts.map((part) => (typeof part === 'string' ? null : part)),
    sender,
  )
  let isInReview = false
  const replace = async (trx: Trx): Promise<void> => {
    const now = at ?? Date.now()
    await requireEditableDog(trx, user, id)
    // A second read: the gallery may have changed while the photos were being stored.
    const before = await findPhotos(trx, id)
    const retained = selectRetainedPhotos(before, parts)
    const doubted: Record<string, string> = {}
    const images = parts.flatMap((part, i): DescribedPhoto[] => {
      const photo: DescribedPhoto | null | undefined = typeof part === 'string' ? retained.get(part) : stored[i]
      const alt = alts[i]
      if (!photo) return []
      // Unchanged descriptions were reviewed before.
      if (alt && alt !== photo.alt && findTextFlag(alt) !== null) doubted[photo.url] = alt
      return [alt === undefined || doubted[photo.url] === alt ? photo : { ...photo, alt }]
    })
    const [cover] = images
    if (!cover) throw allPhotosRefused(skipped)
    const isKept = (photo: DescribedPhoto) => images.some(({ url, alt }) => url === photo.url && alt === photo.alt)
    const written = before.filter((photo) => !isKept(photo)).map(({ url }) => url)
    await proposeTexts(trx, id, { doubted, written }, user.id, now)
    await trx.deleteFrom('dog_images_all').where('dog_id', '=', id).where('hidden', '=', 0).execute()
    await insertImages(trx, id, images)
    await trx.updateTable('dogs_all').set({ photo_url: cover.url, updated_at: now }).where('id', '=', id).execute()
    await markGalleryEdited(trx, id, before, images, now)
    const removedUrls = before.map(({ url }) => url).filter((url) => !retained.has(url))
    await deleteTargetNotifications(trx, removedUrls)
    await planRemoval(trx, { dogId: id, urls: removedUrls })
    isInReview = Object.keys(doubted).length > 0
    await publishDogEvent(trx, 'changed', id, now)
  }
  try {
    await transact(db, replace)
  } catch (error) {
    await discardPhotos(db, dataDir, id, stored)
    throw error
  }
  await applyPhotoMoves(db, dataDir, id)
  const dog = await getDog(db, id)
  return { dog: isInReview ? { ...dog, in_review: ['images'] } : dog, skipped }
}

/** An admin's approval of the dog ends with a change of its gallery, that of a photo with its description. */
async function markGalleryEdited(
  trx: Trx,
  dogId: string,
  before: readonly DescribedPhoto[],
  after: readonly DescribedPhoto[],
  now: number,
): Promise<void> {
  const altOf = ({ alt = null }: DescribedPhoto) => alt
  const described = after.filter((photo) =>
    before.some(({ url, alt = null }) => url === photo.url && alt !== altOf(photo)),
  )
  for (const { url } of described) await markTargetEdited(trx, 'photo', url, now)
  const isSame =
    before.length === after.length && described.length === 0 && before.every(({ url }, i) => url === after[i]?.url)
  if (!isSame) await markTargetEdited(trx, 'dog', dogId, now)
}

const findPhotos = (db: Db, id: string): Promise<DescribedPhoto[]> =>
  db
    .selectFrom('dog_images')
    .select(['url', 'width', 'height', 'blur', 'alt'])
    .where('dog_id', '=', id)
    .orderBy('order')
    .execute()

/** The dog's stored photos named in `parts`, by URL. @throws AppError 422 for any other URL, or one named twice */
function selectRetainedPhotos(
  photos: readonly DescribedPhoto[],
  parts: readonly GalleryPart[],
): Map<string, DescribedPhoto> {
  const retained = new Map<string, DescribedPhoto>()
  for (const part of parts) {
    if (typeof part !== 'string') continue
    const photo = photos.find(({ url }) => url === part)
    if (!photo) throw galleryError('Una de las fotos ya no es de este perro. Vuelve a abrir el formulario.')
    if (retained.has(part)) throw galleryError('Hay una foto repetida.')
    retained.set(part, photo)
  }
  return retained
}
