import { NetworkQueue, type QueueOwner } from '#features/photos/decode/network-queue.ts'
import { RenderQueueFull } from '#features/photos/render/render.server.ts'

/** Cards that may wait: at 30 to 110 ms each, three seconds' work of one core. */
export const MAX_WAITING_CARDS = 32

/** Nobody waits for the card any more. */
export class CardWithdrawn extends Error {}

interface Job {
  start: () => void
  refuse: (why: Error) => void
}

/** Queue owner of cards that the site itself requests; never evicted. */
const SITE: QueueOwner = { network: '', sender: '' }

/**
 * Runs one task at a time; networks take turns. Where too many wait, the newest task of the network with most of them is
 * refused.
 */
export class CardQueue {
  readonly #waiting = new NetworkQueue<Job>()
  #isBusy = false

  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * Runs `work` when its turn comes.
   * @param signal withdraws it while it waits
   * @throws RenderQueueFull when it is evicted for others, CardWithdrawn when it is withdrawn
   */
  async run<T>(work: () => Promise<T>, owner: QueueOwner = SITE, signal?: AbortSignal): Promise<T> {
    await this.#waitForTurn(owner, signal)
    try {
      return await work()
    } finally {
      this.#isBusy = false
      this.#startNext()
    }
  }

  #waitForTurn(owner: QueueOwner, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new CardWithdrawn())
      const withdraw = () => {
        if (this.#waiting.remove(owner, job)) job.refuse(new CardWithdrawn())
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
      this.#waiting.push(owner, job)
      this.#startNext()
      if (this.#waiting.size > MAX_WAITING_CARDS)
        this.#waiting.removeFromLongest(owner, SITE.network)?.refuse(new RenderQueueFull())
    })
  }

  #startNext(): void {
    const job = this.#isBusy ? undefined : this.#waiting.shift()
    if (!job) return
    this.#isBusy = true
    job.start()
  }
}
