import { FairQueue } from './fair-queue.ts'

/** Owner of a queued item: a member or a visitor, on a network. */
export interface QueueOwner {
  network: string
  sender: string
}

/** A queue in which networks take turns, and within a network its senders: more accounts on one network get no more turns. */
export class NetworkQueue<T> {
  readonly #networks = new Map<string, FairQueue<T>>()

  get size(): number {
    let size = 0
    for (const queue of this.#networks.values()) size += queue.size
    return size
  }

  push({ network, sender }: QueueOwner, item: T): void {
    const queue = this.#networks.get(network) ?? new FairQueue<T>()
    this.#networks.set(network, queue)
    queue.push(sender, item)
  }

  /** Takes the next item: of the network whose turn it is, the sender whose turn it is. */
  shift(): T | undefined {
    for (const [network, queue] of this.#networks) {
      const item = queue.shift()
      this.#networks.delete(network)
      // Map order is turn order: the network goes to the end.
      if (queue.size > 0) this.#networks.set(network, queue)
      return item
    }
    return undefined
  }

  /** Removes an item at any position. @returns whether it was waiting */
  remove({ network, sender }: QueueOwner, item: T): boolean {
    const queue = this.#networks.get(network)
    if (!queue?.remove(sender, item)) return false
    if (queue.size === 0) this.#networks.delete(network)
    return true
  }

  /**
   * Removes the newest item of the sender with most items, of the network with most; of equal ones the newcomer's.
   * @param spared a network whose items are never removed for another's
   */
  removeFromLongest(newcomer: QueueOwner, spared: string): T | undefined {
    let longest = newcomer.network
    const sizeOf = (network: string) => this.#networks.get(network)?.size ?? 0
    for (const network of this.#networks.keys())
      if (network !== spared && sizeOf(network) > sizeOf(longest)) longest = network
    const queue = this.#networks.get(longest)
    const item = queue?.removeFromLongest(newcomer.sender)
    if (queue?.size === 0) this.#networks.delete(longest)
    return item
  }
}
