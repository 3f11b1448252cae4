import { FairQueue } from '#features/photos/decode/fair-queue.ts'
import { RenderQueueFull } from '#features/photos/render/render.server.ts'

/** Cards that may wait: at 30 to 110 ms each, three seconds' work of one core. */
export const MAX_WAITING_CARDS = 32

/** Nobody waits for the card any more. */
export class CardWithdrawn extends Error {}

interface Job {
  start: () => void
  refuse: (why: Error) => void
}

/** The network of cards that the site itself requests; never evicted. */
const SITE = ''

/**
 * Runs one task at a time; networks take turns. Where too many wait, the newest task of the network with most of them is
 * refused.
 */
export class CardQueue {
  readonly #waiting = new FairQueue<Job>()
  #isBusy = false

  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * Runs `work` when its turn comes.
   * @param signal withdraws it while it waits
   * @throws RenderQueueFull when it is evicted for others, CardWithdrawn when it is withdrawn
   */
  async run<T>(work: () => Promise<T>, network = SITE, signal?: AbortSignal): Promise<T> {
    await this.#waitForTurn(network, signal)
    try {
      return await work()
    } finally {
      this.#isBusy = false
      this.#startNext()
    }
  }

  #waitForTurn(network: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new CardWithdrawn())
      const withdraw = () => {
        if (this.#waiting.remove(network, job)) job.refuse(new CardWithdrawn())
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
      if (this.#waiting.size > MAX_WAITING_CARDS)
        this.#waiting.removeFromLongest(network, SITE)?.refuse(new RenderQueueFull())
    })
  }

  #startNext(): void {
    const job = this.#isBusy ? undefined : this.#waiting.shift()
    if (!job) return
    this.#isBusy = true
    job.start()
  }
}
