import { LAST_MEMBER_KEY, QUEUE_HINT } from '#lib/offline.ts'
import { toQueuedDog, type NewQueuedDog, SYNC_TAG } from './queue.ts'
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
  try {
    localStorage.setItem(QUEUE_HINT, '1')
  } catch {
    // This page shows the queue anyway; others need the hint.
  }
  await registerSync()
  window.dispatchEvent(new Event('perrario:queued'))
  return 'stored'
}

async function registerSync(): Promise<void> {
  try {
    const registration = (await navigator.serviceWorker?.getRegistration()) as
      | (ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } })
      | undefined
    await registration?.sync?.register(SYNC_TAG)
  } catch {
    // Background Sync is refused or missing: the next page that opens sends it.
  }
}

/** The member signed in on this device. Cached pages are a visitor's, so offline it is the last member seen. */
export function localMemberId(): string | null {
  const { member } = document.body.dataset
  if (member) return member
  try {
    return localStorage.getItem(LAST_MEMBER_KEY)
  } catch {
    return null
  }
}
