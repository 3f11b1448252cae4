import { sendForm } from '#features/photos/upload.client.ts'
import { paths } from '#lib/paths.ts'
import { type DetectionResult, DETECTION_TEXTS } from './detection.ts'

/** A little longer than the longest timeout that the operator can set (DETECTION_SECONDS). */
const ANSWER_TIMEOUT_MS = 130_000

/** The site no longer offers the detection: no error to show and no retry. */
export class DetectionUnavailable extends Error {}

/**
 * What a photo shows, from `POST /api/breed-detection`.
 * @throws DetectionUnavailable; Error with the sentence to show (docs/product.md §21.3); an AbortError when `signal` ends it
 */
export async function detectBreed(photo: File, signal: AbortSignal): Promise<DetectionResult> {
  const form = new FormData()
  form.set('image', photo)
  const controller = new AbortController()
  const abort = () => controller.abort()
  signal.addEventListener('abort', abort)
  const timer = setTimeout(abort, ANSWER_TIMEOUT_MS)
  try {
    const { status, body } = await sendForm('POST', paths.api.breedDetection, form, { signal: controller.signal })
    if (status === 503) throw new DetectionUnavailable()
    if (status === 200) return body as DetectionResult
    throw new Error((body as { detail?: string } | null)?.detail ?? `Error ${status}`)
  } catch (error) {
    if (controller.signal.aborted && !signal.aborted) throw new Error(DETECTION_TEXTS.late, { cause: error })
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}
