// What sends a queue, in pages and the service worker. Web Locks, which they share, keep two from sending at once.

/** Runs `work` under the lock `name`; waits for it. */
export const withLock = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request(name, work) : work()

/** Runs `work` under the Web Lock `name`, or not at all where it is held. */
export const withLockIfFree = (name: string, work: () => Promise<void>): Promise<void> =>
  'locks' in navigator
    ? navigator.locks.request(name, { ifAvailable: true }, async (lock) => (lock ? work() : undefined))
    : work()

/** Acquires the Web Lock `name`. @returns its release, which leaving the page does as well; null where the lock is held */
export function takeLock(name: string): Promise<(() => void) | null> {
  if (!('locks' in navigator)) return Promise.resolve(() => {})
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null)
        return new Promise<void>((release) => resolve(release))
      })
      .catch(reject)
  })
}

export function clearQueueHint(hint: string): void {
  try {
    localStorage.removeItem(hint)
  } catch {
    // The next page opens an empty queue.
  }
}
