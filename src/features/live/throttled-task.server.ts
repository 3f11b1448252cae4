export interface ThrottledTaskOptions {
  /** The least time between the end of one run and the start of the next, ms. */
  intervalMs: number
  /** Does one run. @returns whether there may be more to do at once, so that another run follows */
  run: () => Promise<boolean>
}

/** Runs a task when it is woken: one run at a time, spaced by an interval; wakes during a run cause one more. */
export class ThrottledTask {
  readonly #options: ThrottledTaskOptions
  #timer: NodeJS.Timeout | undefined
  // A monotonic clock: were the wall clock set back, the next run would wait as long.
  #endedAt = 0
  #isRunning = false
  #isWokenAgain = false
  #isStopped = false

  constructor(options: ThrottledTaskOptions) {
    this.#options = options
  }

  wake(): void {
    this.#isWokenAgain = this.#isRunning
    if (this.#isStopped || this.#timer || this.#isRunning) return
    const delayMs = Math.max(0, this.#endedAt + this.#options.intervalMs - performance.now())
    this.#timer = setTimeout(() => void this.#run(), delayMs)
  }

  /** Starts no further run. One that is under way ends, and its errors are no longer logged. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    this.#timer = undefined
    this.#isRunning = true
    this.#isWokenAgain = false
    let hasMore = false
    try {
      hasMore = await this.#options.run()
    } catch (error) {
      if (!this.#isStopped) console.error('perrario · los avisos en directo no se pudieron enviar:', error)
    }
    this.#endedAt = performance.now()
    this.#isRunning = false
    if (this.#isWokenAgain || hasMore) this.wake()
  }
}
