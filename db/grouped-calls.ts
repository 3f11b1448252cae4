import { DatabaseBusyError } from './errors.ts'

/** A call that waits for its group. `resolve` and `reject` answer it; only the first of them counts. */
export interface WaitingCall<T, R> {
  readonly input: T
  readonly resolve: (result: R | Promise<R>) => void
  readonly reject: (error: unknown) => void
}

interface GroupedCallsOptions<T, R> {
  /** Calls of a group. */
  max: number
  /** Groups that run at a time: one by default. */
  concurrency?: number
  /** What a group has to itself: a call waits where a group that runs has one of the same key. Undefined: nothing. */
  keyOf?: (input: T) => string
  /** Groups begin at least so many ms apart, but for full ones; at once by default. */
  intervalMs?: number
  /** A call that has waited this long for its group fails, ms. */
  timeoutMs: number
  /** Answers each call of a group. A call that it did not answer fails with what it throws. */
  run: (calls: readonly WaitingCall<T, R>[]) => Promise<void>
}

/**
 * Runs calls in groups, in their order: those of one turn of the event loop, and those that come while all groups run that may run at a time
 * (`keyOf`: or a group that has the same key). So groups are as large as the load is high, and a call that comes alone waits for nobody: it
 * begins a group at once where the last one began `intervalMs` ago.
 */
export class GroupedCalls<T, R> {
  readonly #options: GroupedCallsOptions<T, R>
  readonly #waiting = new Map<WaitingCall<T, R>, NodeJS.Timeout>()
  #running = 0
  /** The keys of the groups that run. */
  readonly #keys = new Set<string>()
  #isStarting = false
  #startedAt = -Infinity
  /** Whether a timer will begin the next group. */
  #isDelayed = false

  constructor(options: GroupedCallsOptions<T, R>) {
    this.#options = options
  }

  /** @throws what its group answers; DatabaseBusyError where it waited too long */
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

  /** Begins the next group when what the event loop has read in this turn has been handled, or when its time has come. */
  #startSoon(): void {
    if (this.#isStarting || this.#waiting.size === 0 || this.#running >= (this.#options.concurrency ?? 1)) return
    const { intervalMs = 0, max } = this.#options
    const delayMs = intervalMs > 0 ? this.#startedAt + intervalMs - performance.now() : 0
    if (delayMs > 0 && this.#waiting.size < max) {
      this.#startAfter(delayMs)
      return
    }
    this.#isStarting = true
    setImmediate(() => {
      this.#isStarting = false
      const group = this.#takeGroup()
      // All that wait may wait for a key: the group that has it starts the next.
      if (group.length === 0) return
      this.#startedAt = performance.now()
      void this.#runGroup(group)
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

  async #runGroup(group: readonly WaitingCall<T, R>[]): Promise<void> {
    this.#running++
    const { keyOf } = this.#options
    const keys = keyOf ? group.map(({ input }) => keyOf(input)) : []
    for (const key of keys) this.#keys.add(key)
    try {
      await this.#options.run(group)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    this.#running--
    for (const key of keys) this.#keys.delete(key)
    this.#startSoon()
  }

  #takeGroup(): WaitingCall<T, R>[] {
    const { max, keyOf } = this.#options
    const free = keyOf
      ? this.#waiting.entries().filter(([{ input }]) => !this.#keys.has(keyOf(input)))
      : this.#waiting.entries()
    const group = [...free.take(max)]
    for (const [call, timer] of group) {
      clearTimeout(timer)
      this.#waiting.delete(call)
    }
    return group.map(([call]) => call)
  }
}
