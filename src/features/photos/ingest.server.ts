import { AppError, invalid } from '#lib/errors.ts'
import { getDecoderPool, type NotDecoded, type Sender } from './decode/pool.server.ts'
import type { DecodeResult, PictureTask, PreparedPhoto, SquareOptions } from './decode/tasks.server.ts'
import { PHOTO_MAX_SIDE_PX, PHOTO_TEXTS } from './photos.ts'
import { sniff } from './sniff.ts'

export type { PreparedPhoto, Sender }

/** Only programs and browsers that cannot shrink a photo come here with one: the form sends a JPEG of the first picture. */
const ANIMATED_ERROR =
  'Es una animación, y no podemos sacar una foto de ella. Guarda una de sus imágenes como JPEG y súbela.'

const photoError = (detail: string) => invalid(detail, { images: detail })

const TEXTS = {
  one: 'Estás enviando demasiadas fotos a la vez. Espera a que terminen las primeras e inténtalo de nuevo.',
  all: 'Están llegando demasiadas fotos a la vez. Inténtalo dentro de un momento.',
  unavailable: 'Ahora mismo no podemos preparar fotos. Inténtalo dentro de un rato.',
  // Nobody reads it.
  gone: 'La petición se ha interrumpido.',
}
const RETRY_SECONDS = 5
/** Somebody has to mend the installation first. */
const UNAVAILABLE_SECONDS = 300

/**
 * Turns an upload into what we store. Nothing about it is believed: the type comes from its bytes, its cost is counted from
 * the header before a pixel is decoded, and the picture is decoded once, in a process of its own (decode/), and encoded anew,
 * which leaves behind GPS position, comments, profiles and whatever else was hidden in the file.
 * @param side the longest side it may have, in pixels
 * @param sender whose turn it takes
 * @throws AppError 422 with the sentence to show; 429 and 503 where too many wait; 503 where no decoder begins; 408 where the sender is gone
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
  // What came from another process is a plain array of bytes.
  return { ...decoded.photo, data: Buffer.from(decoded.photo.data) }
}

/**
 * The middle of a picture that is the operator's own, as a square: decoded as an upload is.
 * @throws AppError 422
 */
export async function cropSquare(bytes: Uint8Array, square: SquareOptions): Promise<Buffer> {
  const decoded = await decodePicture({ bytes, square })
  if (!('square' in decoded)) throw new Error('The decoder answered something else')
  return Buffer.from(decoded.square)
}

async function decodePicture(task: PictureTask, sender?: Sender): Promise<DecodeResult> {
  const decoded = await getDecoderPool().run(task, sender)
  if ('not' in decoded) throw toAppError(decoded, task.bytes.length)
  if ('refused' in decoded)
    throw photoError(decoded.refused === 'animated' ? ANIMATED_ERROR : PHOTO_TEXTS[decoded.refused])
  return decoded
}

function toAppError({ not, detail }: NotDecoded, size: number): AppError {
  if (not === 'one') return new AppError(429, TEXTS.one, { retryAfter: RETRY_SECONDS })
  if (not === 'all') return new AppError(503, TEXTS.all, { retryAfter: RETRY_SECONDS })
  if (not === 'gone') return new AppError(408, TEXTS.gone)
  if (not === 'unavailable') {
    console.error(`perrario · las fotos no se pueden preparar: su proceso no arranca (${detail})`)
    return new AppError(503, TEXTS.unavailable, { retryAfter: UNAVAILABLE_SECONDS })
  }
  console.error(`A picture of ${size} bytes: ${detail}`)
  return photoError(not === 'crash' ? PHOTO_TEXTS.damaged : PHOTO_TEXTS.tooCostly)
}
