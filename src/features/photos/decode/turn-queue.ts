import { FairQueue } from './fair-queue.ts'

interface Job {
  start: () => void
  refuse: (why: Error) => void
}

/** Whose tasks are never evicted: the site's own. */
export const SITE_NETWORK = ''

/** How many tasks may wait, and the errors of those that are not run. */
export interface TurnLimits {
  maxWaiting: number
  /** Of a task that is evicted for others. */
  full: () => Error
  /** Of a task that is withdrawn. */
  withdrawn: () => Error
}

/**
 * Runs one task at a time; networks take turns. Where too many wait, the newest task of the network with most of them is
 * refused.
 */
export class TurnQueue {
  readonly #limits: TurnLimits
  readonly #waiting = new FairQueue<Job>()
  #isBusy = false

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * Runs `work` when its turn comes.
   * @param signal withdraws it while it waits
   * @throws the errors of the limits, and what `work` throws
   */
  async run<T>(work: () => Promise<T>, network = SITE_NETWORK, signal?: AbortSignal): Promise<T> {
    await this.#waitForTurn(network, signal)
    try {
      return await work()
    } finally {
      this.#isBusy = false
      this.#startNext()
    }
  }

  /** Withdraws all tasks that wait. */
  withdrawAll(): void {
    for (let job = this.#waiting.shift(); job; job = this.#waiting.shift()) job.refuse(this.#limits.withdrawn())
  }

  #waitForTurn(network: string, signal: AbortSignal | undefined): Promise<void> {
    const { maxWaiting, full, withdrawn } = this.#limits
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(withdrawn())
      const withdraw = () => {
        if (this.#waiting.remove(network, job)) job.refuse(withdrawn())
      }
      const job: Job = {
        start() {
          signal?.removeEventListener('abort', withdraw)
          resolve()
        },
        refuse(why) {
          signal?.removeEventListener('abort', withdraw)
          reject(why)
        },
      }
      signal?.addEventListener('abort', withdraw, { once: true })
      this.#waiting.push(network, job)
      this.#startNext()
      if (network !== SITE_NETWORK && this.waiting > maxWaiting)
        this.#waiting.removeFromLongest(network, SITE_NETWORK)?.refuse(full())
    })
  }

  #startNext(): void {
    const job = this.#isBusy ? undefined : this.#waiting.shift()
    if (!job) return
    this.#isBusy = true
    job.start()
  }
}
