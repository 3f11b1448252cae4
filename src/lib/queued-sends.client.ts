// What sends a queue, in pages and the service worker. Web Locks, which they share, keep two from sending at once.

/** Runs `work` under the lock `name`; waits for it. */
export const withLock = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request(name, work) : work()

export function clearQueueHint(hint: string): void {
  try {
    localStorage.removeItem(hint)
  } catch {
    // The next page opens an empty queue.
  }
}
