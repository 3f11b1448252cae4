import { MIXED_BREED } from '#features/breeds/breeds.ts'
import {
  type BreedGuess,
  CONFIDENCE_TEXTS,
  type DetectionResult,
  DETECTION_TEXTS,
} from '#features/detection/detection.ts'
import type { FormValues } from '#features/dogs/form/form-values.ts'

/** The three states of the breed detection (docs/product.md §11.3); null without a detection. */
export type DetectionState =
  | { state: 'analysing' }
  | { state: 'detected'; breed: string; alternatives: BreedGuess[] }
  | { state: 'failed'; message: string }
  | null

/** The state for an answer: no breed is a failure that can be retried (docs/product.md §21.3). */
export const toDetectionState = ({ breed, alternatives }: DetectionResult): DetectionState =>
  breed === null ? { state: 'failed', message: DETECTION_TEXTS.nothing } : { state: 'detected', breed, alternatives }

/** How sure the model is of the breed that it puts first, in words; '' where it did not say. */
export function firstConfidence(detection: DetectionState): string {
  if (detection?.state !== 'detected') return ''
  const guess = detection.alternatives.find(({ breed }) => breed === detection.breed)
  return guess ? CONFIDENCE_TEXTS[guess.confidence] : ''
}

/** The other breeds that the picker offers, best first. */
export const otherBreeds = (detection: DetectionState, names: readonly string[] | null): BreedGuess[] =>
  detection?.state === 'detected'
    ? detection.alternatives.filter(({ breed }) => breed !== detection.breed && isListed(breed, names ?? []))
    : []

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
export function detectionAnnouncement(
  detection: DetectionState,
  isListed: boolean,
  isOwn: boolean,
  others: readonly BreedGuess[],
): string {
  if (!detection) return ''
  if (detection.state === 'analysing') return ANALYSING_TEXT
  if (detection.state === 'failed') return detection.message
  const confidence = firstConfidence(detection)
  const sentences = [`${DETECTED_TEXT}: ${detection.breed}${confidence && `, ${confidence}`}.`]
  if (isOwn) sentences.push('Ya está elegida.')
  else if (!isListed) sentences.push(UNLISTED_TEXT)
  if (others.length > 0)
    sentences.push(
      `${OTHERS_TEXT}: ${others.map(({ breed, confidence }) => `${breed}, ${CONFIDENCE_TEXTS[confidence]}`).join('; ')}.`,
    )
  return sentences.join(' ')
}

export const ANALYSING_TEXT = 'Analizando la foto…'
export const DETECTED_TEXT = 'Raza detectada'
export const UNLISTED_TEXT = 'No está en la lista: elige la que más se parezca.'
export const OTHERS_TEXT = 'También podría ser'
