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
  /** By network. The order of the map is that of turns. */
  readonly #networks = new Map<string, Job[]>()
  #isBusy = false

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  get waiting(): number {
    let count = 0
    for (const jobs of this.#networks.values()) count += jobs.length
    return count
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
    const jobs = [...this.#networks.values()].flat()
    this.#networks.clear()
    for (const job of jobs) job.refuse(this.#limits.withdrawn())
  }

  #waitForTurn(network: string, signal: AbortSignal | undefined): Promise<void> {
    const { maxWaiting, full, withdrawn } = this.#limits
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(withdrawn())
      const withdraw = () => {
        if (this.#take(network, job)) job.refuse(withdrawn())
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
      this.#networks.set(network, [...(this.#networks.get(network) ?? []), job])
      this.#startNext()
      if (network !== SITE_NETWORK && this.waiting > maxWaiting) this.#evictFor(network)?.refuse(full())
    })
  }

  /** Takes a job out. @returns whether it was waiting */
  #take(network: string, job: Job | undefined): boolean {
    const jobs = this.#networks.get(network) ?? []
    const left = jobs.filter((one) => one !== job)
    if (left.length > 0) this.#networks.set(network, left)
    else this.#networks.delete(network)
    return left.length < jobs.length
  }

  /** Takes out the newest job of the network with most; of equal ones the newcomer's. */
  #evictFor(newcomer: string): Job | undefined {
    let longest = newcomer
    const sizeOf = (network: string) => this.#networks.get(network)?.length ?? 0
    for (const network of this.#networks.keys())
      if (network !== SITE_NETWORK && sizeOf(network) > sizeOf(longest)) longest = network
    const job = this.#networks.get(longest)?.at(-1)
    this.#take(longest, job)
    return job
  }

  /** Starts the oldest job of the network whose turn it is, which then goes to the end. */
  #startNext(): void {
    const [first] = this.#networks
    if (this.#isBusy || !first) return
    const [network, [job, ...left]] = first
    this.#networks.delete(network)
    if (left.length > 0) this.#networks.set(network, left)
    this.#isBusy = true
    job?.start()
  }
}
