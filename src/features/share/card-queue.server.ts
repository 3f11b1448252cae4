import { NetworkQueue, type QueueOwner } from '#features/photos/decode/network-queue.ts'
import { RenderQueueFull } from '#features/photos/render/render.server.ts'

/** Cards that may wait: at 30 to 110 ms each, three seconds' work of one core. */
export const MAX_WAITING_CARDS = 32

interface Job {
  start: () => void
  refuse: () => void
}

/** Whose turn a card takes that the site itself asks for. It never gives way. */
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

  /** Runs `work` when its turn comes. @throws RenderQueueFull when it gives way to others */
  async run<T>(work: () => Promise<T>, owner: QueueOwner = SITE): Promise<T> {
    await this.#waitForTurn(owner)
    try {
      return await work()
    } finally {
      this.#isBusy = false
      this.#startNext()
    }
  }

  #waitForTurn(owner: QueueOwner): Promise<void> {
    return new Promise((start, reject) => {
      this.#waiting.push(owner, { start, refuse: () => reject(new RenderQueueFull()) })
      this.#startNext()
      if (this.#waiting.size > MAX_WAITING_CARDS) this.#waiting.removeFromLongest(owner, SITE.network)?.refuse()
    })
  }

  #startNext(): void {
    const job = this.#isBusy ? undefined : this.#waiting.shift()
    if (!job) return
    this.#isBusy = true
    job.start()
  }
}
