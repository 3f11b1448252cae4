/** Hands out a number of slots, in the order in which they are asked for. */
export class ConcurrencyLimiter {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(slots: number) {
    this.#free = slots
  }

  /** Waits for a slot. @returns gives it back; null where none was free within `timeoutMs` */
  async acquire(timeoutMs: number): Promise<(() => void) | null> {
    if (this.#free > 0) {
      this.#free--
      return this.#release
    }
    return new Promise((resolve) => {
      const take = () => {
        clearTimeout(timer)
        this.#waiting.delete(take)
        resolve(this.#release)
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(take)
        resolve(null)
      }, timeoutMs)
      this.#waiting.add(take)
    })
  }

  readonly #release = (): void => {
    const [next] = this.#waiting
    if (next) next()
    else this.#free++
  }
}
