import { AppError, invalid } from '#lib/errors.ts'
import { preparePhoto } from '#features/photos/photos.server.ts'
import { readBreed } from './answer.server.ts'
import { type Detected, DETECTION_TEXTS } from './detection.ts'
import { askGemini, type GeminiOptions, type GeminiSettings } from './gemini.server.ts'

/** The models look at squares of this side and count each: a larger photo costs more and says no more. */
const SIDE = 768

/**
 * The breed in a photo as the catalogue calls it, or null. What leaves us is the picture alone, decoded and encoded anew
 * as a stored photo is: no place, device or name goes with it.
 * @throws AppError 422 for a file that is no photo; what askGemini throws
 */
export async function detectBreed(
  settings: GeminiSettings,
  upload: Uint8Array,
  options: GeminiOptions = {},
): Promise<Detected> {
  const photo = await preparePhoto(upload, SIDE).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
    throw invalid(DETECTION_TEXTS.image, { image: error.message })
  })
  return { breed: readBreed(await askGemini(settings, photo.data, options)) }
}
