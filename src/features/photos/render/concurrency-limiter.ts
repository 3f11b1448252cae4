/** `request`: a client waits for the render; `prerender`: none does yet. */
export type RenderPriority = 'request' | 'prerender'

interface WaitingTask {
  key: string | undefined
  weight: number
  start: (isPrerender: boolean) => void
}

/**
 * Runs as many tasks at once as there are cores. Requests run in order of arrival; prerenders run only while no request
 * waits, and with several cores leave one free for the next request.
 */
export class ConcurrencyLimiter {
  readonly #cores: number
  readonly #waiting: Record<RenderPriority, WaitingTask[]> = { request: [], prerender: [] }
  #running = 0
  #runningPrerenders = 0

  constructor(cores: number) {
    this.#cores = cores
  }

  /** Number of requests that wait for a render. */
  get waiting(): number {
    return this.#waiting.request.length
  }

  /**
   * Runs `work` when its turn comes.
   * @param options.weight cores that it occupies; more than there are count as all
   * @param options.key by which `promote` finds a waiting prerender
   */
  async run<T>(
    work: () => Promise<T>,
    { weight = 1, priority = 'request' as RenderPriority, key = undefined as string | undefined } = {},
  ) {
    const cores = Math.min(weight, this.#cores)
    const isPrerender = await new Promise<boolean>((resolve) => {
      this.#waiting[priority].push({ key, weight: cores, start: resolve })
      this.#next()
    })
    try {
      return await work()
    } finally {
      this.#running -= cores
      if (isPrerender) this.#runningPrerenders--
      this.#next()
    }
  }

  /** Moves the waiting prerender `key` to the end of the requests: a client now waits for it. */
  promote(key: string): void {
    const index = this.#waiting.prerender.findIndex((waiting) => waiting.key === key)
    if (index < 0) return
    this.#waiting.request.push(...this.#waiting.prerender.splice(index, 1))
    this.#next()
  }

  #next(): void {
    const { request, prerender } = this.#waiting
    const isPrerender = request.length === 0
    const queue = isPrerender ? prerender : request
    const first = queue[0]
    if (!first || this.#running + first.weight > this.#cores) return
    if (isPrerender && this.#runningPrerenders >= Math.max(1, this.#cores - 1)) return
    queue.shift()
    this.#running += first.weight
    if (isPrerender) this.#runningPrerenders++
    first.start(isPrerender)
    this.#next()
  }
}
