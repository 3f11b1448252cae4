/** A queue in which networks take turns: many items of one network delay only its own. */
export class FairQueue<T> {
  readonly #networks = new Map<string, T[]>()

  get size(): number {
    let size = 0
    for (const items of this.#networks.values()) size += items.length
    return size
  }

  push(network: string, item: T): void {
    const items = this.#networks.get(network)
    if (items) items.push(item)
    else this.#networks.set(network, [item])
  }

  /** Takes the next item: the oldest of the network whose turn it is. */
  shift(): T | undefined {
    for (const [network, items] of this.#networks) {
      const item = items.shift()
      this.#networks.delete(network)
      // Map order is turn order: the network goes to the end.
      if (items.length > 0) this.#networks.set(network, items)
      return item
    }
    return undefined
  }

  /** Removes an item at any position. @returns whether it was waiting */
  remove(network: string, item: T): boolean {
    const items = this.#networks.get(network)
    const index = items?.indexOf(item) ?? -1
    if (!items || index < 0) return false
    items.splice(index, 1)
    if (items.length === 0) this.#networks.delete(network)
    return true
  }

  /**
   * Removes the newest item of the network with most; of equal ones the newcomer's.
   * @param spared a network whose items are never removed for another's
   */
  removeFromLongest(newcomer: string, spared: string): T | undefined {
    let longest = newcomer
    const sizeOf = (network: string) => this.#networks.get(network)?.length ?? 0
    for (const network of this.#networks.keys())
      if (network !== spared && sizeOf(network) > sizeOf(longest)) longest = network
    const items = this.#networks.get(longest)
    const item = items?.pop()
    if (items?.length === 0) this.#networks.delete(longest)
    return item
  }
}
