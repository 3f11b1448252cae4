import { afterFailure, mayHaveArrived } from '#lib/queued-sends.ts'
import type { SaveOutcome } from '#features/dogs/form/save/save-outcome.ts'
import { QUEUE_TEXTS, type QueuedDog } from './queue.ts'

/** The queued dog after a send. It never leaves the queue here: only a notified or discarding person deletes it. */
export function afterSend(dog: QueuedDog, outcome: SaveOutcome, now: number, isOlder = false): QueuedDog {
  if (outcome.kind === 'saved') {
    const { dog: saved, token, skipped } = outcome
    return { ...dog, state: 'sent', problem: '', sent: { dog: saved, token, skipped, isOlder } }
  }
  const isUncertain = dog.isUncertain || mayHaveArrived(outcome)
  return { ...afterFailure(dog, outcome, QUEUE_TEXTS, now), isUncertain }
}

/** The reason why the dog cannot be sent, or undefined. `breeds` is empty when the list is unknown. */
export function findObstacle(
  dog: QueuedDog,
  photoCount: number,
  breeds: readonly string[],
  mixedBreed: string,
): string | undefined {
  if (photoCount === 0 || photoCount < dog.photos) return QUEUE_TEXTS.photosGone
  const { breed } = dog.values
  if (breed && breed !== mixedBreed && breeds.length > 0 && !breeds.includes(breed)) return QUEUE_TEXTS.breedGone(breed)
  return undefined
}
