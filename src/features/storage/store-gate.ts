/** Failures in a row after which a store counts as unavailable. */
const MAX_FAILURES = 3
/** How long no request goes to a store that is unavailable. The next one then finds out. */
const CLOSED_MS = 5000

/**
 * Keeps requests from a store that does not answer: each would wait for its timeout. After three failures in a row it is closed for
 * five seconds at a time (circuit breaker).
 */
export class StoreGate {
  #failures = 0
  #closedUntil = 0
  readonly #now: () => number

  /** @param now a clock that never goes back, ms */
  constructor(now: () => number) {
    this.#now = now
  }

  get isClosed(): boolean {
    return this.#now() < this.#closedUntil
  }

  /** @returns whether it is the first failure since the store last answered */
  addFailure(): boolean {
    this.#failures++
    if (this.#failures >= MAX_FAILURES) this.#closedUntil = this.#now() + CLOSED_MS
    return this.#failures === 1
  }

  /** @returns whether the store failed before */
  addSuccess(): boolean {
    const failed = this.#failures > 0
    this.#failures = 0
    this.#closedUntil = 0
    return failed
  }
}
