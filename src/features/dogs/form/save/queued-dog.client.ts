import { showToast } from '#ui/toast/show-toast.client.ts'
import { type NewQueuedDog, QUEUE_TEXTS, type QueuedDog, toQueuedDog } from '#features/dogs/queue/queue.ts'
import { bringUpToDate } from '#features/dogs/queue/bring-up-to-date.client.ts'
import { dogQueue, readQueuedPhotos } from '#features/dogs/queue/send.client.ts'
import { type Photo, readyPhoto } from '#features/dogs/form/photos/gallery.ts'
import { randomId } from '#lib/identifiers.ts'
import type { SaveOutcome } from './save-outcome.ts'

// The form's side of the offline queue: an unsent dog is queued, and a queued dog can be edited.

/** A queued dog under the form's lock. */
export interface OpenedQueuedDog {
  dog: QueuedDog
  /** Releases its lock, so that it can be sent. */
  release: () => void
}

/**
 * Locks a queued dog and reads it for the form. It is not sent before `release`.
 * @throws Error with the sentence to show, when it is being sent or has been sent
 */
export async function openQueuedDog(id: string) {
  const release = await dogQueue.take(id)
  if (!release) throw new Error(QUEUE_TEXTS.busy)
  const dog = await dogQueue.read(id)
  if (!dog || dog.state === 'sent') {
    release()
    throw new Error(QUEUE_TEXTS.gone)
  }
  const { values, problem } = dog
  const photos = (await readQueuedPhotos(dog)).map(({ file, alt }) => readyPhoto(randomId(), file, alt))
  const isBreedGone = problem === QUEUE_TEXTS.breedGone(values.breed)
  return {
    dog,
    stored: { values, photos },
    values: isBreedGone ? { ...values, breed: '' } : values,
    photos,
    errors: isBreedGone ? { breed: problem } : problem ? { form: problem } : {},
    release,
  }
}

/**
 * Queues a dog that could not be sent.
 * @param before the dog in the queue that it replaces
 * @returns undefined once it is queued, or the error to show
 */
export function queueUnsentDog(
  dog: Omit<NewQueuedDog, 'photos' | 'alts' | 'isUncertain'>,
  photos: readonly Photo[],
  before: QueuedDog | undefined,
): Promise<string | undefined> {
  const sent = photos.flatMap(({ file, alt }) => (file ? [{ file, alt }] : []))
  // Offline nothing was sent; online the server may have received it and the response got lost.
  const isUncertain = navigator.onLine || before?.isUncertain === true
  const queued = toQueuedDog({ ...dog, photos: sent.length, alts: sent.map(({ alt }) => alt), isUncertain }, Date.now())
  return dogQueue.enqueue(
    queued,
    sent.map(({ file }) => file),
  )
}

/** Deletes a queued dog that the form has sent. */
export async function completeQueuedDog(
  dog: QueuedDog,
  photos: readonly Photo[],
  outcome: Extract<SaveOutcome, { kind: 'saved' }>,
): Promise<void> {
  const isOlder = await bringUpToDate(dog, photos, outcome)
  await dogQueue.remove(dog.id)
  if (isOlder) await showToast({ title: QUEUE_TEXTS.older })
}
