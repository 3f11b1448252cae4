/** A queue in which senders take turns: many items of one sender delay only its own. */
export class FairQueue<T> {
  readonly #senders = new Map<string, T[]>()

  get size(): number {
    let size = 0
    for (const items of this.#senders.values()) size += items.length
    return size
  }

  push(sender: string, item: T): void {
    const items = this.#senders.get(sender)
    if (items) items.push(item)
    else this.#senders.set(sender, [item])
  }

  /** Takes the next item: the oldest of the sender whose turn it is. */
  shift(): T | undefined {
    for (const [sender, items] of this.#senders) {
      const item = items.shift()
      this.#senders.delete(sender)
      // Map order is turn order: the sender goes to the end.
      if (items.length > 0) this.#senders.set(sender, items)
      return item
    }
    return undefined
  }

  /** Removes an item at any position. @returns whether it was waiting */
  remove(sender: string, item: T): boolean {
    const items = this.#senders.get(sender)
    const index = items?.indexOf(item) ?? -1
    if (!items || index < 0) return false
    items.splice(index, 1)
    if (items.length === 0) this.#senders.delete(sender)
    return true
  }

  /** Removes the newest item of the sender with most items; of equal ones the newcomer's. */
  removeFromLongest(newcomer: string): T | undefined {
    let longest = newcomer
    const sizeOf = (sender: string) => this.#senders.get(sender)?.length ?? 0
    for (const sender of this.#senders.keys()) if (sizeOf(sender) > sizeOf(longest)) longest = sender
    const items = this.#senders.get(longest)
    const item = items?.pop()
    if (items?.length === 0) this.#senders.delete(longest)
    return item
  }
}
