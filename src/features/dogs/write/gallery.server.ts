import type { Db } from '#db/client.ts'
import { TEXT_FLAG_REASONS, findTextFlag } from '#features/moderation/text-filter.ts'
import { planRemoval } from '#features/photos/planned-moves.server.ts'
import { applyPhotoMoves } from '#features/photos/apply-moves.server.ts'
import { invalid } from '#lib/errors.ts'
import { insertImages } from './add.server.ts'
import { getDog } from '#features/dogs/dog.server.ts'
import type { Dog, SkippedPhoto } from '#features/dogs/dogs.ts'
import { type Requester, requireEditableDog } from './edit.server.ts'
import { submitDogForReview } from '#features/dogs/quarantine.server.ts'
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

/** One place of the gallery: a photo the dog has already, by its url, or a new one. */
export type GalleryPart = string | Upload

export interface GalleryOptions {
  /** What is said of each part, by its place: null for nothing; left out, a photo keeps what was said of it. */
  alts?: readonly (string | null | undefined)[]
  /** Whose turn its new photos take, and out of whose allowance. */
  sender?: UploadSender
  now?: number
}

const galleryError = (detail: string) => invalid(detail, { images: detail })

/**
 * Replaces the gallery by `parts`, in their order, the first as cover. A new photo that cannot be read is skipped and
 * told; the dog never ends without a photo. Doubtful words on one have the dog wait for the admin.
 * @throws AppError 401, 403, 404; 422 for no part, more than ten, a url that is not of this dog, or nothing left
 */
export async function replaceGallery(
  db: Db,
  dataDir: string,
  asker: Requester,
  id: string,
  parts: readonly GalleryPart[],
  { alts = [], sender, now = Date.now() }: GalleryOptions = {},
): Promise<{ dog: Dog; skipped: SkippedPhoto[] }> {
  await requireEditableDog(db, asker, id)
  assertPhotoCount(parts.length)
  selectKeptPhotos(await findPhotos(db, id), parts)
  const { stored, skipped } = await storeUploads(
    dataDir,
    id,
    parts.map((part) => (typeof part === 'string' ? null : part)),
    sender,
  )
  let waiting: Dog | undefined
  try {
    await db.transaction().execute(async (trx) => {
      await requireEditableDog(trx, asker, id)
      // Read again: the gallery may have changed while the photos were being stored.
      const before = await findPhotos(trx, id)
      const kept = selectKeptPhotos(before, parts)
      const images = parts.flatMap((part, i): DescribedPhoto[] => {
        const photo: DescribedPhoto | null = typeof part === 'string' ? kept.get(part)! : stored[i]!
        return photo ? [{ ...photo, alt: alts[i] === undefined ? photo.alt : alts[i] }] : []
      })
      if (images.length === 0) throw allPhotosRefused(skipped)
      await trx.deleteFrom('dog_images').where('dog_id', '=', id).execute()
      await insertImages(trx, id, images)
      await trx.updateTable('dogs').set({ photo_url: images[0]!.url, updated_at: now }).where('id', '=', id).execute()
      // What the admin has let pass is not asked about again.
      const doubt = findTextFlag(...images.map(({ url, alt }) => (alt === kept.get(url)?.alt ? null : alt)))
      if (doubt) waiting = await submitDogForReview(trx, id, 'words', TEXT_FLAG_REASONS[doubt], now)
      else await publishDogEvent(trx, 'changed', id, now)
      const urls = before.map(({ url }) => url).filter((url) => !kept.has(url))
      await planRemoval(trx, { dogId: id, urls })
    })
  } catch (error) {
    await discardPhotos(dataDir, id, stored)
    throw error
  }
  await applyPhotoMoves(db, dataDir, id)
  return { dog: waiting ?? (await getDog(db, id)), skipped }
}

const findPhotos = (db: Db, id: string): Promise<DescribedPhoto[]> =>
  db
    .selectFrom('dog_images')
    .select(['url', 'width', 'height', 'blur', 'alt'])
    .where('dog_id', '=', id)
    .orderBy('order')
    .execute()

/** The dog's own photos that `parts` names. @throws AppError 422 for any other url, or one named twice */
function selectKeptPhotos(
  photos: readonly DescribedPhoto[],
  parts: readonly GalleryPart[],
): Map<string, DescribedPhoto> {
  const kept = new Map<string, DescribedPhoto>()
  for (const part of parts) {
    if (typeof part !== 'string') continue
    const photo = photos.find(({ url }) => url === part)
    if (!photo) throw galleryError('Una de las fotos ya no es de este perro. Vuelve a abrir el formulario.')
    if (kept.has(part)) throw galleryError('Hay una foto repetida.')
    kept.set(part, photo)
  }
  return kept
}
