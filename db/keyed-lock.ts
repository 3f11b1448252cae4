/** Runs work on the same key one after another, in the order of the calls; different keys run side by side. In this process only. */
export class KeyedLock {
  /** Keys with work: the end of the last one, and how many there are. */
  readonly #queues = new Map<string, { last: Promise<unknown>; size: number }>()

  /** Runs `work` after all earlier work on `key`, which may have failed. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { last: Promise.resolve(), size: 0 }
    this.#queues.set(key, queue)
    queue.size++
    const result = queue.last.then(work)
    queue.last = result.catch(() => {})
    try {
      return await result
    } finally {
      if (--queue.size === 0) this.#queues.delete(key)
    }
  }
}
