import { LAST_MEMBER_KEY } from '#lib/offline.ts'
import { toQueuedDog, type NewQueuedDog, QUEUE_HINT, SYNC_TAG } from './queue.ts'
import { storeQueuedDog } from './store.client.ts'

/** `full`: no room on the device. `failed`: it keeps nothing at all. */
export type EnqueueResult = 'kept' | 'full' | 'failed'

/** Puts a new dog with its photos into the queue, or another version of one that is there. */
export async function enqueueDog(dog: NewQueuedDog, photos: readonly File[]): Promise<EnqueueResult> {
  try {
    await storeQueuedDog(toQueuedDog(dog, Date.now()), photos)
  } catch (error) {
    console.warn('perrario · the dog could not be queued', error)
    return error instanceof DOMException && error.name === 'QuotaExceededError' ? 'full' : 'failed'
  }
  try {
    localStorage.setItem(QUEUE_HINT, '1')
  } catch {
    // The page that queued it knows all the same.
  }
  await registerSync()
  window.dispatchEvent(new Event('perrario:queued'))
  return 'kept'
}

async function registerSync(): Promise<void> {
  try {
    const registration = (await navigator.serviceWorker?.getRegistration()) as
      (ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } }) | undefined
    await registration?.sync?.register(SYNC_TAG)
  } catch {
    // Refused or not there: the next page that opens sends it.
  }
}

/** Who is signed in here, as far as a page without network can know: kept pages are those of a visitor. */
export function localMemberId(): string | null {
  const { member } = document.body.dataset
  if (member) return member
  try {
    return localStorage.getItem(LAST_MEMBER_KEY)
  } catch {
    return null
  }
}
