import { QUEUE_TEXTS, type QueuedDog, toQueuedDog } from '#features/dogs/queue/queue.ts'
import { bringUpToDate } from '#features/dogs/queue/bring-up-to-date.client.ts'
import { dogQueue, readQueuedPhotos } from '#features/dogs/queue/send.client.ts'
import { randomId } from '#lib/identifiers.ts'
import type { Photo } from '#features/dogs/form/photos/gallery.ts'
import type { SaveOutcome } from './save-outcome.ts'
import { readyPhoto } from '#features/dogs/form/photos/usePhotos.client.ts'
import type { FormErrors } from '#features/dogs/form/validate.ts'
import type { FormValues } from '#features/dogs/form/form-values.ts'

// The form's side of the offline queue: an unsent dog is queued, and a queued dog can be edited.

export interface OpenedQueuedDog {
  dog: QueuedDog
  values: FormValues
  photos: Photo[]
  errors: FormErrors
  /** Releases its lock, so that it can be sent. */
  release: () => void
}

/**
 * Locks a queued dog and reads it for the form. It is not sent before `release`.
 * @throws Error with the sentence to show, when it is being sent or has been sent
 */
export async function openQueuedDog(id: string): Promise<OpenedQueuedDog> {
  const release = await dogQueue.take(id)
  if (!release) throw new Error(QUEUE_TEXTS.busy)
  const dog = await dogQueue.read(id)
  if (!dog || dog.state === 'sent') {
    release()
    throw new Error(QUEUE_TEXTS.gone)
  }
  const photos = (await readQueuedPhotos(dog)).map(({ file, alt }) => readyPhoto(randomId(), file, alt))
  const isBreedGone = dog.problem === QUEUE_TEXTS.breedGone(dog.values.breed)
  return {
    dog,
    values: isBreedGone ? { ...dog.values, breed: '' } : dog.values,
    photos,
    errors: isBreedGone ? { breed: dog.problem } : dog.problem ? { form: dog.problem } : {},
    release,
  }
}

/** Queues a dog that could not be sent. @returns undefined once it is queued, or the error to show */
export function queueUnsentDog(
  id: string,
  member: string | null,
  values: FormValues,
  photos: readonly Photo[],
  before: QueuedDog | null,
  hasOtherPhotos: boolean,
): Promise<string | undefined> {
  const photosToSend = photos.flatMap(({ file, alt }) => (file ? [{ file, alt }] : []))
  // Offline nothing was sent; online the server may have received it and the response got lost.
  const isUncertain = navigator.onLine || before?.isUncertain === true
  const alts = photosToSend.map(({ alt }) => alt)
  const dog = { id, values, photos: photosToSend.length, alts, member, isUncertain, hasOtherPhotos }
  const files = photosToSend.map(({ file }) => file)
  return dogQueue.enqueue(toQueuedDog(dog, Date.now()), files)
}

/** Deletes a queued dog that the form has sent. */
export async function completeQueuedDog(
  dog: QueuedDog,
  photos: readonly Photo[],
  outcome: Extract<SaveOutcome, { kind: 'saved' }>,
): Promise<void> {
  const isOlder = await bringUpToDate(dog, photos, outcome)
  await dogQueue.remove(dog.id)
  if (!isOlder) return
  const { toast } = await import('#ui/toast/toast.client.ts')
  toast({ title: QUEUE_TEXTS.older })
}
