import { AppError, invalid } from '#lib/errors.ts'
import { getPictureDecoder, type DecodeFailure, type Sender } from './decode/decoder.server.ts'
import type { DecodeResult, DecodeTask, PreparedPhoto, SquareOptions } from './decode/tasks.server.ts'
import { isSharpMissing } from './render/sharp.server.ts'
import { PHOTO_MAX_SIDE_PX, PHOTO_TEXTS } from './photos.ts'
import { sniff } from './sniff.ts'

export type { PreparedPhoto, Sender }

/** The sender of an upload: their place in the photo queue and their daily quota. */
export interface UploadSender extends Sender {
  /** Asked before a photo of so many bytes is written. @throws AppError 429, 507 */
  admit?: (bytes: number) => Promise<void>
  /** Takes the bytes of a written photo from the site's budget; where it refuses, the photo is deleted. @throws AppError 503 */
  spend?: (bytes: number) => Promise<void>
}

/** Only programs, and browsers that cannot compress, send an animation: the form sends a JPEG of its first picture. */
const ANIMATED_ERROR =
  'Es una animación, y no podemos sacar una foto de ella. Guarda una de sus imágenes como JPEG y súbela.'

const photoError = (detail: string) => invalid(detail, { images: detail })

const TEXTS = {
  senderLimit: 'Estás enviando demasiadas fotos a la vez. Espera a que terminen las primeras e inténtalo de nuevo.',
  queueFull: 'Están llegando demasiadas fotos a la vez. Inténtalo dentro de un momento.',
  unavailable: 'Ahora mismo no podemos preparar fotos. Inténtalo dentro de un rato.',
  // Only logs show it: the client has disconnected.
  gone: 'La petición se ha interrumpido.',
}
const RETRY_SECONDS = 5
/** The operator has to repair the installation first. */
const UNAVAILABLE_SECONDS = 300

/**
 * Turns an upload into the photo that is stored. The upload is untrusted: its type comes from its bytes, its cost is estimated
 * from the header before a pixel is decoded, and a process of its own (decode/) decodes it once and encodes it anew, which
 * removes GPS position, comments, profiles and any other metadata.
 * @param side the longest side of the result, in pixels
 * @param sender whose turn it takes in the queue; the site itself without one
 * @throws AppError 422 with the sentence to show; 429 and 503 where too many wait; 503 where no decoder starts; 408 where the
 *   client has disconnected
 */
export async function preparePhoto(
  bytes: Uint8Array,
  side = PHOTO_MAX_SIDE_PX,
  sender?: Sender,
): Promise<PreparedPhoto> {
  const type = sniff(bytes)
  if (type === 'heic') throw photoError(PHOTO_TEXTS.heic)
  if (type === 'other') throw photoError(PHOTO_TEXTS.unreadable)
  const decoded = await decodePicture({ bytes, prepare: { side } }, sender)
  if (!('photo' in decoded)) throw new Error('The decoder answered something else')
  // Another process sends a plain Uint8Array.
  return { ...decoded.photo, data: Buffer.from(decoded.photo.data) }
}

/**
 * The middle of one of the operator's pictures as a square, decoded like an upload.
 * @returns the encoded picture
 * @throws AppError as `preparePhoto`
 */
export async function cropSquare(bytes: Uint8Array, square: SquareOptions): Promise<Buffer> {
  const decoded = await decodePicture({ bytes, square })
  if (!('square' in decoded)) throw new Error('The decoder answered something else')
  return Buffer.from(decoded.square)
}

async function decodePicture(task: DecodeTask, sender?: Sender): Promise<DecodeResult> {
  const decoded = isSharpMissing() ? ({ failure: 'unavailable' } as const) : await getPictureDecoder().run(task, sender)
  if ('failure' in decoded) throw toAppError(decoded, task.bytes.length)
  if ('refused' in decoded)
    throw photoError(decoded.refused === 'animated' ? ANIMATED_ERROR : PHOTO_TEXTS[decoded.refused])
  return decoded
}

function toAppError({ failure, detail }: DecodeFailure, size: number): AppError {
  if (failure === 'sender-limit') return new AppError(429, TEXTS.senderLimit, { retryAfter: RETRY_SECONDS })
  if (failure === 'queue-full') return new AppError(503, TEXTS.queueFull, { retryAfter: RETRY_SECONDS })
  if (failure === 'gone') return new AppError(408, TEXTS.gone)
  if (failure === 'unavailable') {
    // Without a detail it was said at the start.
    if (detail) console.error(`perrario · las fotos no se pueden preparar: su proceso no arranca (${detail})`)
    return new AppError(503, TEXTS.unavailable, { retryAfter: UNAVAILABLE_SECONDS })
  }
  console.error(`perrario · una foto de ${size} bytes no se pudo leer: ${detail}`)
  return photoError(failure === 'crash' ? PHOTO_TEXTS.damaged : PHOTO_TEXTS.tooCostly)
}
