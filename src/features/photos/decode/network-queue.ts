import { FairQueue } from './fair-queue.ts'

/** Where somebody waits: a member or a visitor, on a network. */
export interface QueueOwner {
  network: string
  sender: string
}

/** A line in which networks take turns, and the senders of each in its turn: more accounts, or more networks of one site, are no more turns. */
export class NetworkQueue<T> {
  readonly #networks = new Map<string, FairQueue<T>>()

  get size(): number {
    let size = 0
    for (const line of this.#networks.values()) size += line.size
    return size
  }

  push({ network, sender }: QueueOwner, item: T): void {
    const line = this.#networks.get(network) ?? new FairQueue<T>()
    this.#networks.set(network, line)
    line.push(sender, item)
  }

  /** Takes the next item: the one whose turn it is of the network whose turn it is. */
  shift(): T | undefined {
    for (const [network, line] of this.#networks) {
      const item = line.shift()
      this.#networks.delete(network)
      // Behind everybody else's.
      if (line.size > 0) this.#networks.set(network, line)
      return item
    }
    return undefined
  }

  /** Takes an item out wherever it stands. @returns whether it was waiting */
  remove({ network, sender }: QueueOwner, item: T): boolean {
    const line = this.#networks.get(network)
    if (!line?.remove(sender, item)) return false
    if (line.size === 0) this.#networks.delete(network)
    return true
  }

  /**
   * Takes out the newest item of the sender with most, of the network with most; of equal ones the newcomer's.
   * @param spared a network that never gives way
   */
  removeFromLongest(newcomer: QueueOwner, spared: string): T | undefined {
    let greediest = newcomer.network
    const sizeOf = (network: string) => this.#networks.get(network)?.size ?? 0
    for (const network of this.#networks.keys())
      if (network !== spared && sizeOf(network) > sizeOf(greediest)) greediest = network
    const line = this.#networks.get(greediest)
    const item = line?.removeFromLongest(newcomer.sender)
    if (line?.size === 0) this.#networks.delete(greediest)
    return item
  }
}
