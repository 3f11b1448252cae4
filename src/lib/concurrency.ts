/** Runs `action` for all items, at most `concurrency` at a time. Rejects on the first failure. */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  concurrency: number,
  action: (item: T) => Promise<void>,
) {
  const queue = items[Symbol.iterator]()
  const runQueued = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await action(next.value)
  }
  await Promise.all(Array.from({ length: concurrency }, runQueued))
}
