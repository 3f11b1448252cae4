import { enqueueDog, localMemberId } from '#features/dogs/queue/enqueue.client.ts'
import { QUEUE_TEXTS, type QueuedDog } from '#features/dogs/queue/queue.ts'
import { bringUpToDate, dogLock } from '#features/dogs/queue/send.client.ts'
import { deleteQueuedDog, readQueuedPhotos, readQueuedDog } from '#features/dogs/queue/store.client.ts'
import { randomId } from '#features/dogs/form/random-id.ts'
import type { Photo } from '#features/dogs/form/photos/gallery.ts'
import type { SaveOutcome } from './save-outcome.ts'
import { readyPhoto } from '#features/dogs/form/photos/usePhotos.client.ts'
import type { FormErrors } from '#features/dogs/form/validate.ts'
import type { FormValues } from '#features/dogs/form/form-values.ts'

// The form's side of the queue: a dog that could not be sent goes there, and one that waits there can be edited.

export interface OpenedQueuedDog {
  dog: QueuedDog
  values: FormValues
  photos: Photo[]
  errors: FormErrors
  /** Lets it be sent again. */
  release: () => void
}

/**
 * A waiting dog as the form shows it. Until `release` nobody sends it.
 * @throws Error with the sentence to show, where it is being sent right now or is gone
 */
export async function openQueuedDog(id: string): Promise<OpenedQueuedDog> {
  const release = await lockQueuedDog(id)
  const dog = await readQueuedDog(id)
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

/** @throws Error where it is held: by its being sent, or by a form in another tab */
function lockQueuedDog(id: string): Promise<() => void> {
  if (!('locks' in navigator)) return Promise.resolve(() => {})
  return new Promise((resolve, reject) => {
    void navigator.locks.request(dogLock(id), { ifAvailable: true }, (lock) => {
      if (!lock) return reject(new Error(QUEUE_TEXTS.busy))
      return new Promise<void>((release) => resolve(release))
    })
  })
}

/** Keeps what could not be sent. @returns undefined once it is kept, or the sentence that says why not */
export async function queueUnsentDog(
  id: string,
  values: FormValues,
  photos: readonly Photo[],
  before: QueuedDog | null,
  hasOtherPhotos: boolean,
): Promise<string | undefined> {
  const kept = photos.flatMap(({ file, alt }) => (file ? [{ file, alt }] : []))
  const member = before ? before.member : localMemberId()
  // Offline nothing left the device; otherwise only the answer may have got lost.
  const isUncertain = navigator.onLine || before?.isUncertain === true
  const alts = kept.map(({ alt }) => alt)
  const dog = { id, values, photos: kept.length, alts, member, isUncertain, hasOtherPhotos }
  const outcome = await enqueueDog(
    dog,
    kept.map(({ file }) => file),
  )
  if (outcome === 'kept') return undefined
  return outcome === 'full' ? QUEUE_TEXTS.full : QUEUE_TEXTS.notStored
}

/** A waiting dog was sent by the form: it goes from the queue. */
export async function completeQueuedDog(
  dog: QueuedDog,
  photos: readonly Photo[],
  outcome: Extract<SaveOutcome, { kind: 'saved' }>,
): Promise<void> {
  const isOlder = await bringUpToDate(dog, photos, outcome)
  await deleteQueuedDog(dog.id)
  if (!isOlder) return
  const { toast } = await import('#ui/toast/toast.client.ts')
  toast({ title: QUEUE_TEXTS.older })
}
