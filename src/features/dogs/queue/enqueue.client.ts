import { registerSync, setQueueHint } from '#lib/device-queue.client.ts'
import { QUEUE_HINT } from '#lib/offline.ts'
import { toQueuedDog, type NewQueuedDog } from './queue.ts'
import { storeQueuedDog } from './store.client.ts'

/** `full`: the device's storage is full. `failed`: it stores nothing at all. */
export type EnqueueResult = 'stored' | 'full' | 'failed'

/** Adds a new dog with its photos to the queue, or replaces a queued one. */
export async function enqueueDog(dog: NewQueuedDog, photos: readonly File[]): Promise<EnqueueResult> {
  try {
    await storeQueuedDog(toQueuedDog(dog, Date.now()), photos)
  } catch (error) {
    console.warn('perrario · the dog could not be queued', error)
    return error instanceof DOMException && error.name === 'QuotaExceededError' ? 'full' : 'failed'
  }
  setQueueHint(QUEUE_HINT)
  await registerSync()
  window.dispatchEvent(new Event('perrario:queued'))
  return 'stored'
}
