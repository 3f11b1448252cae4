import { AppError, invalid } from '#lib/errors.ts'
import { preparePhoto, type PreparedPhoto, type UploadSender } from './ingest.server.ts'
import { PHOTO_MAX_SIDE_PX, PHOTO_TEXTS, PHOTO_UPLOAD_MAX_BYTES } from './photos.ts'

/**
 * The photo of a form that takes one, in its field `photo`; null without, or for the nameless empty part of an empty file field.
 * @param many the sentence for several
 * @throws AppError 413, 422
 */
export function readPhotoPart(form: FormData, many: string): File | null {
  const parts = form
    .getAll('photo')
    .filter((part) => (typeof part === 'string' ? part !== '' : part.size > 0 || part.name !== ''))
  if (parts.length > 1) throw invalid(many, { photo: many })
  const [part] = parts
  if (part === undefined) return null
  if (typeof part === 'string') throw invalid(PHOTO_TEXTS.unreadable, { photo: PHOTO_TEXTS.unreadable })
  if (part.size > PHOTO_UPLOAD_MAX_BYTES)
    throw new AppError(413, PHOTO_TEXTS.tooHeavy, { errors: { photo: PHOTO_TEXTS.tooHeavy } })
  return part
}

/**
 * Decodes and encodes the photo anew, which removes its place and device, and takes it from the budgets of uploads.
 * @throws AppError 422 of the field `photo`; 429, 503 of the budgets
 */
export async function readPhoto(bytes: Uint8Array<ArrayBuffer>, sender: UploadSender): Promise<PreparedPhoto> {
  try {
    const photo = await preparePhoto(bytes, PHOTO_MAX_SIDE_PX, sender)
    await sender.admit?.(photo.data.length)
    await sender.spend?.(photo.data.length)
    return photo
  } catch (error) {
    if (error instanceof AppError && error.status === 422) throw invalid(error.message, { photo: error.message })
    throw error
  }
}

/** A photo that not everybody may see, as a response that no cache may store. @param jpeg the bytes of a JPEG */
export const privatePhoto = (jpeg: Buffer): Response =>
  new Response(new Uint8Array(jpeg), {
    headers: {
      'Content-Type': 'image/jpeg',
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
