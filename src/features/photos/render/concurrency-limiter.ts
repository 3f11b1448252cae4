/** `request`: a client waits for the render; `prerender`: none does yet. */
export type RenderPriority = 'request' | 'prerender'

/**
 * Runs as many tasks at once as there are cores. Requests run in order of arrival; prerenders run only while no request
 * waits, and with several cores leave one free for the next request.
 */
export class ConcurrencyLimiter {
  readonly #cores: number
  readonly #waiting: Record<RenderPriority, (() => void)[]> = { request: [], prerender: [] }
  readonly #running: Record<RenderPriority, number> = { request: 0, prerender: 0 }

  constructor(cores: number) {
    this.#cores = cores
  }

  /** Number of requests that wait for a render. */
  get waiting(): number {
    return this.#waiting.request.length
  }

  /** Runs `work` when its turn comes. */
  async run<T>(work: () => Promise<T>, { priority = 'request' as RenderPriority } = {}): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waiting[priority].push(resolve)
      this.#startNext()
    })
    try {
      return await work()
    } finally {
      this.#running[priority]--
      this.#startNext()
    }
  }

  #startNext(): void {
    const priority = this.waiting > 0 ? 'request' : 'prerender'
    const { request, prerender } = this.#running
    if (request + prerender >= this.#cores) return
    if (priority === 'prerender' && prerender >= Math.max(1, this.#cores - 1)) return
    const start = this.#waiting[priority].shift()
    if (!start) return
    this.#running[priority]++
    start()
    this.#startNext()
  }
}
