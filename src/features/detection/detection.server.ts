import { AppError, invalid } from '#lib/errors.ts'
import { preparePhoto, type Sender } from '#features/photos/photos.server.ts'
import { parseBreedAnswer } from './parse-answer.server.ts'
import { type DetectionResult, DETECTION_TEXTS } from './detection.ts'
import { requestGemini, type GeminiOptions, type GeminiSettings } from './gemini.server.ts'

/** Models process and bill photos in tiles of this size: a larger photo costs more without a better answer. */
const IMAGE_SIDE_PX = 768

/**
 * Detects the breed in a photo. The service receives a re-encoded image only, without metadata such as place or device.
 * @param options also the sender's `id` and `network`, as `preparePhoto` takes them
 * @returns the catalogue's name of the breed, or null
 * @throws AppError 422 for a file that is no photo; 429, 503 where too many wait; what `requestGemini` throws
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
