import type { DetectionSettings } from '#lib/detection-settings.ts'
import { AppError, invalid } from '#lib/errors.ts'
import { preparePhoto, type Sender } from '#features/photos/photos.server.ts'
import { parseBreedAnswer } from './parse-answer.server.ts'
import { parseBreeds, parseDescription } from './parse-description.server.ts'
import type { DogDescription } from './description.ts'
import { type DetectionResult, DETECTION_TEXTS } from './detection.ts'
import { requestDetection, type ServiceOptions } from './service.server.ts'

/** Models process and bill photos in tiles of this size: a larger photo costs more without a better answer. */
const IMAGE_SIDE_PX = 768

type Options = ServiceOptions &
  Pick<Sender, 'id' | 'network' | 'onStart'> & {
    /** Called before the service is asked; what it throws ends the detection. */
    onAsk?: () => Promise<void>
  }

/**
 * Detects the breed in a photo. The service receives a re-encoded image only, without metadata such as place or device.
 * @param options also the sender's `id` and `network`, as `preparePhoto` takes them
 * @returns of a list only the catalogue's breeds; of an answer in words the name of the breed, or null
 * @throws AppError 422 for a file that is no photo; 429, 503 where too many wait; what `requestDetection` throws
 */
export async function detectBreed(
  settings: DetectionSettings,
  upload: Uint8Array,
  options: Options = {},
): Promise<DetectionResult> {
  const answer = await askAboutPhoto(settings, upload, { ...options, isBreedOnly: true })
  const description = parseDescription(answer)
  if (!description) return { breed: parseBreedAnswer(answer), alternatives: [] }
  return { breed: description.breeds[0]?.breed ?? null, alternatives: description.breeds }
}

/** What a photo says of a dog, without a breed where none was recognised. Throws as `detectBreed`. */
export async function describePhoto(
  settings: DetectionSettings,
  upload: Uint8Array,
  options: Options = {},
): Promise<DogDescription> {
  const answer = await askAboutPhoto(settings, upload, options)
  return parseDescription(answer) ?? { breeds: parseBreeds(answer), size: null, coat: [] }
}

async function askAboutPhoto(
  settings: DetectionSettings,
  upload: Uint8Array,
  { id, network, onStart, onAsk, ...options }: Options,
): Promise<string> {
  const photo = await preparePhoto(upload, IMAGE_SIDE_PX, { id, network, onStart, signal: options.signal }).catch(
    (error: unknown) => {
      if (!(error instanceof AppError) || error.status !== 422) throw error
      throw invalid(DETECTION_TEXTS.image, { image: error.message })
    },
  )
  // What is no photo costs the operator nothing.
  await onAsk?.()
  return requestDetection(settings, photo.data, options)
}
