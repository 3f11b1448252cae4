/** Rests shorter than a timer is precise are added up first, ms. */
const MIN_REST_MS = 2

/**
 * Keeps background work from holding the event loop: its steps get one turn of the loop each, so that requests are served between any two,
 * and after a step the loop rests in proportion to the time that it was busy. better-sqlite3 and encryption are synchronous, and awaiting
 * them yields to no request.
 */
export class CpuThrottle {
  readonly #restPerBusyMs: number
  #last: Promise<void> = Promise.resolve()
  /** The rest that the steps so far have earned the others, ms. */
  #owedRestMs = 0

  /** @param share of the event loop that the work may take, above 0 and up to 1 */
  constructor(share: number) {
    this.#restPerBusyMs = 1 / share - 1
  }

  /**
   * Slots for one kind of work. Kinds take turns: of each, one step waits for its slot at a time, however many are ready.
   * @returns resolves when the next step may run, until its first wait for anything but the database
   */
  lane(): () => Promise<void> {
    let last: Promise<void> = Promise.resolve()
    return () => (last = last.then(() => (this.#last = this.#last.then(() => this.#grantSlot()))))
  }

  async #grantSlot(): Promise<void> {
    await nextTurn()
    if (this.#owedRestMs >= MIN_REST_MS) {
      const restMs = this.#owedRestMs
      this.#owedRestMs = 0
      await new Promise((resolve) => setTimeout(resolve, restMs))
    }
    const start = performance.now()
    // Until then the loop has run the step, and the requests that came in meanwhile.
    setImmediate(() => (this.#owedRestMs += (performance.now() - start) * this.#restPerBusyMs))
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** For what is sent to thousands of members at once: it takes half as long again as alone, and others hardly notice it. */
export const backgroundThrottle = new CpuThrottle(0.65)
