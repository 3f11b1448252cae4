import { AppError, invalid } from '#lib/errors.ts'
import { preparePhoto, type Sender } from '#features/photos/photos.server.ts'
import { parseBreedAnswer } from './parse-answer.server.ts'
import { type DetectionResult, DETECTION_TEXTS } from './detection.ts'
import { requestGemini, type GeminiOptions, type GeminiSettings } from './gemini.server.ts'

/** The models look at squares of this side and count each: a larger photo costs more and says no more. */
const IMAGE_SIDE_PX = 768

/**
 * The breed in a photo as the catalogue calls it, or null. What leaves us is the picture alone, decoded and encoded anew
 * as a stored photo is: no place, device or name goes with it.
 * @param options also the sender's `id` and `network`, as `preparePhoto` takes them
 * @throws AppError 422 for a file that is no photo; 429, 503 where too many wait; what askGemini throws
 */
export async function detectBreed(
  settings: GeminiSettings,
  upload: Uint8Array,
  { id, network, onStart, ...options }: GeminiOptions & Pick<Sender, 'id' | 'network' | 'onStart'> = {},
): Promise<DetectionResult> {
  const photo = await preparePhoto(upload, IMAGE_SIDE_PX, { id, network, onStart, signal: options.signal }).catch(
    (error: unknown) => {
      if (!(error instanceof AppError) || error.status !== 422) throw error
      throw invalid(DETECTION_TEXTS.image, { image: error.message })
    },
  )
  return { breed: parseBreedAnswer(await requestGemini(settings, photo.data, options)) }
}
