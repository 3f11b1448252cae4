import type { Db } from '#db/client.ts'
import { DOUBT_REASONS, doubtOf } from '#features/moderation/words.ts'
import { planRemoval } from '#features/photos/moves.server.ts'
import { settlePhotos } from '#features/photos/settle-moves.server.ts'
import { invalid } from '#lib/errors.ts'
import { insertImages } from './add.server.ts'
import { getDog } from './dog.server.ts'
import type { Dog, SkippedPhoto } from './dogs.ts'
import { type Asker, editableRow } from './edit.server.ts'
import { holdForAdmin } from './hold.server.ts'
import { tellDog } from './tell.server.ts'
import {
  allRefused,
  checkPhotoCount,
  type DescribedPhoto,
  discard,
  storeUploads,
  type Upload,
  type Uploader,
} from './uploads.server.ts'

/** One place of the gallery: a photo the dog has already, by its url, or a new one. */
export type GalleryPart = string | Upload

export interface GalleryOptions {
  /** What is said of each part, by its place: null for nothing; left out, a photo keeps what was said of it. */
  alts?: readonly (string | null | undefined)[]
  /** Whose turn its new photos take, and out of whose allowance. */
  sender?: Uploader
  now?: number
}

const refused = (detail: string) => invalid(detail, { images: detail })

/**
 * Replaces the gallery by `parts`, in their order, the first as cover. A new photo that cannot be read is skipped and
 * told; the dog never ends without a photo. Doubtful words on one have the dog wait for the admin.
 * @throws AppError 401, 403, 404; 422 for no part, more than ten, a url that is not of this dog, or nothing left
 */
export async function setImages(
  db: Db,
  dataDir: string,
  asker: Asker,
  id: string,
  parts: readonly GalleryPart[],
  { alts = [], sender, now = Date.now() }: GalleryOptions = {},
): Promise<{ dog: Dog; skipped: SkippedPhoto[] }> {
  await editableRow(db, asker, id)
  checkPhotoCount(parts.length)
  keptPhotos(await photosOf(db, id), parts)
  const { stored, skipped } = await storeUploads(
    dataDir,
    id,
    parts.map((part) => (typeof part === 'string' ? null : part)),
    sender,
  )
  let waiting: Dog | undefined
  try {
    await db.transaction().execute(async (trx) => {
      await editableRow(trx, asker, id)
      // Read again: the gallery may have changed while the photos were being stored.
      const before = await photosOf(trx, id)
      const kept = keptPhotos(before, parts)
      const images = parts.flatMap((part, i): DescribedPhoto[] => {
        const photo: DescribedPhoto | null = typeof part === 'string' ? kept.get(part)! : stored[i]!
        return photo ? [{ ...photo, alt: alts[i] === undefined ? photo.alt : alts[i] }] : []
      })
      if (images.length === 0) throw allRefused(skipped)
      await trx.deleteFrom('dog_images').where('dog_id', '=', id).execute()
      await insertImages(trx, id, images)
      await trx.updateTable('dogs').set({ photo_url: images[0]!.url, updated_at: now }).where('id', '=', id).execute()
      // What the admin has let pass is not asked about again.
      const doubt = doubtOf(...images.map(({ url, alt }) => (alt === kept.get(url)?.alt ? null : alt)))
      if (doubt) waiting = await holdForAdmin(trx, id, 'words', DOUBT_REASONS[doubt], now)
      else await tellDog(trx, 'changed', id, now)
      const urls = before.map(({ url }) => url).filter((url) => !kept.has(url))
      await planRemoval(trx, { dogId: id, urls })
    })
  } catch (error) {
    await discard(dataDir, id, stored)
    throw error
  }
  await settlePhotos(db, dataDir, id)
  return { dog: waiting ?? (await getDog(db, id)), skipped }
}

const photosOf = (db: Db, id: string): Promise<DescribedPhoto[]> =>
  db
    .selectFrom('dog_images')
    .select(['url', 'width', 'height', 'blur', 'alt'])
    .where('dog_id', '=', id)
    .orderBy('order')
    .execute()

/** The dog's own photos that `parts` names. @throws AppError 422 for any other url, or one named twice */
function keptPhotos(photos: readonly DescribedPhoto[], parts: readonly GalleryPart[]): Map<string, DescribedPhoto> {
  const kept = new Map<string, DescribedPhoto>()
  for (const part of parts) {
    if (typeof part !== 'string') continue
    const photo = photos.find(({ url }) => url === part)
    if (!photo) throw refused('Una de las fotos ya no es de este perro. Vuelve a abrir el formulario.')
    if (kept.has(part)) throw refused('Hay una foto repetida.')
    kept.set(part, photo)
  }
  return kept
}
