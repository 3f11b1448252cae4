import { detectBreed, DetectionUnavailable } from '#features/detection/detection.client.ts'
import { type DetectionResult, DETECTION_TEXTS } from '#features/detection/detection.ts'
import type { DetectionState } from './state.ts'

/** The state for an answer: no breed is a failure that can be retried (docs/product.md §21.3). */
export const toDetectionState = ({ breed, alternatives }: DetectionResult): DetectionState =>
  breed === null ? { state: 'failed', message: DETECTION_TEXTS.nothing } : { state: 'detected', breed, alternatives }

/** The outcome of a detection; 'unreachable' while the device is offline, which is tried again when it is back. */
export async function requestDetection(photo: File, signal: AbortSignal): Promise<DetectionState | 'unreachable'> {
  try {
    return toDetectionState(await detectBreed(photo, signal))
  } catch (error) {
    if (error instanceof DetectionUnavailable) return null
    if (!navigator.onLine) return 'unreachable'
    const { message } = error as Error
    return { state: 'failed', message: message.startsWith('Error') ? message : `Error: ${message}` }
  }
}
