import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { DETECTION_TEXTS } from '#features/detection/detection.ts'
import type { FormValues } from '#features/dogs/form/form-values.ts'

/** The three states of the breed detection (docs/product.md §11.3); null without a detection. */
export type DetectionState =
  | { state: 'analysing' }
  | { state: 'detected'; breed: string }
  | { state: 'failed'; message: string }
  | null

/** The state for an answer: no breed is a failure that can be retried (docs/product.md §21.3). */
export const toDetectionState = (breed: string | null): DetectionState =>
  breed === null ? { state: 'failed', message: DETECTION_TEXTS.nothing } : { state: 'detected', breed }

/** Whether the breed picker offers the breed. */
export const isListed = (breed: string, names: readonly string[]): boolean =>
  breed === MIXED_BREED || names.includes(breed)

/**
 * Whether the person has chosen the breed, which the detection must not overwrite: the field has another breed than the one
 * that the detection chose (`own`, '' for none), or a mix is described.
 */
export const hasPersonChosen = ({ breed, mix }: Pick<FormValues, 'breed' | 'mix'>, own: string): boolean =>
  breed !== '' && (breed !== own || (breed === MIXED_BREED && mix.trim() !== ''))

/** The announcement of a state. */
export function detectionAnnouncement(detection: DetectionState, isListed: boolean, isOwn: boolean): string {
  if (!detection) return ''
  if (detection.state === 'analysing') return ANALYSING_TEXT
  if (detection.state === 'failed') return detection.message
  const rest = isOwn ? 'Ya está elegida.' : isListed ? '' : UNLISTED_TEXT
  return `${DETECTED_TEXT}: ${detection.breed}. ${rest}`.trim()
}

export const ANALYSING_TEXT = 'Analizando la foto…'
export const DETECTED_TEXT = 'Raza detectada'
export const UNLISTED_TEXT = 'No está en la lista: elige la que más se parezca.'
