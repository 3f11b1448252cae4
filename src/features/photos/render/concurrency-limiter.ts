/** Who a picture is made for: somebody who waits for it, or whoever may come later. */
export type RenderPriority = 'now' | 'ahead'

interface WaitingTask {
  key: string | undefined
  weight: number
  start: (isAhead: boolean) => void
}

/**
 * Lets as much work run at once as there are cores. People are served first come, first served; what is made ahead runs only
 * while nobody waits, and where there are several cores leaves one free for whoever comes next.
 */
export class ConcurrencyLimiter {
  readonly #cores: number
  readonly #waiting: Record<RenderPriority, WaitingTask[]> = { now: [], ahead: [] }
  #running = 0
  #runningAhead = 0

  constructor(cores: number) {
    this.#cores = cores
  }

  /** How many wait for a picture. */
  get waiting(): number {
    return this.#waiting.now.length
  }

  /**
   * @param weight cores' worth of room, no more than there are
   * @param key by which `promote` finds work that is made ahead
   */
  async run<T>(
    work: () => Promise<T>,
    { weight = 1, line = 'now' as RenderPriority, key = undefined as string | undefined } = {},
  ) {
    const room = Math.min(weight, this.#cores)
    const isAhead = await new Promise<boolean>((resolve) => {
      this.#waiting[line].push({ key, weight: room, start: resolve })
      this.#next()
    })
    try {
      return await work()
    } finally {
      this.#running -= room
      if (isAhead) this.#runningAhead--
      this.#next()
    }
  }

  /** Somebody asks for what is only waiting to be made ahead: it joins those who wait. */
  promote(key: string): void {
    const index = this.#waiting.ahead.findIndex((waiting) => waiting.key === key)
    if (index < 0) return
    this.#waiting.now.push(...this.#waiting.ahead.splice(index, 1))
    this.#next()
  }

  #next(): void {
    const { now, ahead } = this.#waiting
    const isAhead = now.length === 0
    const first = isAhead ? ahead[0] : now[0]
    if (!first || this.#running + first.weight > this.#cores) return
    if (isAhead && this.#runningAhead >= Math.max(1, this.#cores - 1)) return
    this.#waiting[isAhead ? 'ahead' : 'now'].shift()
    this.#running += first.weight
    if (isAhead) this.#runningAhead++
    first.start(isAhead)
    this.#next()
  }
}
