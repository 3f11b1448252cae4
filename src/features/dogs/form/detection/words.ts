import type { BreedGuess, Confidence } from '#features/detection/detection.ts'
import type { DetectionState } from './state.ts'

// Loaded with the panel alone.

export const ANALYSING_TEXT = 'Analizando la foto…'
export const DETECTED_TEXT = 'Raza detectada'
export const UNLISTED_TEXT = 'No está en la lista: elige la que más se parezca.'
export const OTHERS_TEXT = 'También podría ser'

/** The confidences as people read them. */
export const CONFIDENCE_TEXTS: Record<Confidence, string> = { alta: 'muy probable', media: 'probable', baja: 'quizá' }

/** How sure the model is of the breed that it puts first, in words; '' where it did not say. */
export function firstConfidence(detection: DetectionState): string {
  if (detection?.state !== 'detected') return ''
  const guess = detection.alternatives.find(({ breed }) => breed === detection.breed)
  return guess ? CONFIDENCE_TEXTS[guess.confidence] : ''
}

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
