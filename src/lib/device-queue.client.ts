import { LAST_MEMBER_KEY, SYNC_TAG } from './offline.ts'

// What puts something into a queue of this device.

/** Has the browser wake the service worker once the network is back. */
export async function registerSync(): Promise<void> {
  try {
    const registration = (await navigator.serviceWorker?.getRegistration()) as
      | (ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } })
      | undefined
    await registration?.sync?.register(SYNC_TAG)
  } catch {
    // Background Sync is refused or missing: the next page that opens sends it.
  }
}

/** Notes that a queue is not empty, so that the next page opens it. @param hint a key of lib/offline.ts */
export function setQueueHint(hint: string): void {
  try {
    localStorage.setItem(hint, '1')
  } catch {
    // This page shows the queue anyway; others need the hint.
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
