import { DatabaseBusyError } from './errors.ts'

/** A call that waits for its batch. `resolve` and `reject` answer it; only the first of them counts. */
export interface WaitingCall<T, R> {
  readonly input: T
  readonly resolve: (result: R | Promise<R>) => void
  readonly reject: (error: unknown) => void
}

interface RequestBatcherOptions<T, R> {
  /** Calls of a batch. */
  max: number
  /** Batches that run at a time: one by default. */
  concurrency?: number
  /** A call waits while a batch runs that has one of the same key. Undefined: calls have no keys. */
  keyOf?: (input: T) => string
  /** Batches begin at least so many ms apart, but for those of `earlySize` calls; at once by default. */
  intervalMs?: number
  /** A batch of this many calls begins before `intervalMs` is over; `max` by default. */
  earlySize?: number
  /** A call that has waited this long for its batch fails, ms. */
  timeoutMs: number
  /** Answers every call of a batch, or throws: then the calls that it has not answered fail with that error. */
  run: (calls: readonly WaitingCall<T, R>[]) => Promise<void>
}

/**
 * Runs calls in batches, in their order. A batch takes the calls of one turn of the event loop and those that have come while
 * `concurrency` batches were running; with `keyOf`, two running batches never have the same key. A call that comes alone is run at once,
 * unless a batch began less than `intervalMs` ago and fewer than `earlySize` calls wait.
 */
export class RequestBatcher<T, R> {
  readonly #options: RequestBatcherOptions<T, R>
  readonly #waiting = new Map<WaitingCall<T, R>, NodeJS.Timeout>()
  #running = 0
  /** The keys of the batches that run. */
  readonly #keys = new Set<string>()
  #isStarting = false
  #startedAt = -Infinity
  /** Whether a timer will begin the next batch. */
  #isDelayed = false

  constructor(options: RequestBatcherOptions<T, R>) {
    this.#options = options
  }

  /** @throws what its batch answers; DatabaseBusyError where it waited too long */
  call(input: T): Promise<R> {
    return new Promise((resolve, reject) => {
      const call = { input, resolve, reject }
      const expire = () => {
        this.#waiting.delete(call)
        reject(new DatabaseBusyError())
      }
      this.#waiting.set(call, setTimeout(expire, this.#options.timeoutMs))
      this.#startSoon()
    })
  }

  /** Begins the next batch when what the event loop has read in this turn has been handled, or when its time has come. */
  #startSoon(): void {
    if (this.#isStarting || this.#waiting.size === 0 || this.#running >= (this.#options.concurrency ?? 1)) return
    const { intervalMs = 0, max, earlySize = max } = this.#options
    const delayMs = intervalMs > 0 ? this.#startedAt + intervalMs - performance.now() : 0
    if (delayMs > 0 && this.#waiting.size < earlySize) {
      this.#startAfter(delayMs)
      return
    }
    this.#isStarting = true
    setImmediate(() => {
      this.#isStarting = false
      const batch = this.#takeBatch()
      // All that wait may wait for a key: the batch that has it starts the next.
      if (batch.length === 0) return
      this.#startedAt = performance.now()
      void this.#runBatch(batch)
      this.#startSoon()
    })
  }

  #startAfter(delayMs: number): void {
    if (this.#isDelayed) return
    this.#isDelayed = true
    const start = () => {
      this.#isDelayed = false
      this.#startSoon()
    }
    setTimeout(start, Math.ceil(delayMs))
  }

  async #runBatch(batch: readonly WaitingCall<T, R>[]): Promise<void> {
    this.#running++
    const { keyOf } = this.#options
    const keys = keyOf ? batch.map(({ input }) => keyOf(input)) : []
    for (const key of keys) this.#keys.add(key)
    try {
      await this.#options.run(batch)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    this.#running--
    for (const key of keys) this.#keys.delete(key)
    this.#startSoon()
  }

  #takeBatch(): WaitingCall<T, R>[] {
    const { max, keyOf } = this.#options
    const free = keyOf
      ? this.#waiting.entries().filter(([{ input }]) => !this.#keys.has(keyOf(input)))
      : this.#waiting.entries()
    const batch = [...free.take(max)]
    for (const [call, timer] of batch) {
      clearTimeout(timer)
      this.#waiting.delete(call)
    }
    return batch.map(([call]) => call)
  }
}
