import { sendForm } from '#features/photos/upload.client.ts'
import { paths } from '#lib/paths.ts'
import { type DetectionResult, DETECTION_TEXTS } from './detection.ts'

/** A little longer than the server takes for both of its tries. */
const ANSWER_TIMEOUT_MS = 30_000

/** The detection is not there any more: nothing to show, nothing to try again. */
export class DetectionUnavailable extends Error {}

let available: Promise<boolean> | undefined

/** Whether this site detects breeds: asked once a page; false, and asked again next time, where the server does not say. */
export function isDetectionAvailable(): Promise<boolean> {
  available ??= fetchAvailability().catch(() => {
    available = undefined
    return false
  })
  return available
}

async function fetchAvailability(): Promise<boolean> {
  const response = await fetch(paths.api.breedDetection, { headers: { Accept: 'application/json' } })
  if (!response.ok) throw new Error(response.statusText)
  return ((await response.json()) as { available: boolean }).available
}

/**
 * The breed in a photo, as `POST /api/breed-detection` answers it.
 * @throws DetectionOff; Error with the sentence to show (docs/product.md §21.3); an AbortError when `signal` ends it
 */
export async function detectBreed(photo: File, signal: AbortSignal): Promise<DetectionResult['breed']> {
  const form = new FormData()
  form.set('image', photo)
  const ends = new AbortController()
  const end = () => ends.abort()
  signal.addEventListener('abort', end)
  const timer = setTimeout(end, ANSWER_TIMEOUT_MS)
  try {
    const { status, body } = await sendForm('POST', paths.api.breedDetection, form, { signal: ends.signal })
    if (status === 503) throw new DetectionUnavailable()
    if (status === 200) return (body as DetectionResult).breed
    throw new Error((body as { detail?: string } | null)?.detail ?? `Error ${status}`)
  } catch (error) {
    if (ends.signal.aborted && !signal.aborted) throw new Error(DETECTION_TEXTS.late, { cause: error })
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}
