/** Keeps what was used last, up to a total weight; what was used longest ago goes first, the newest always stays. */
export class Lru<K, V> {
  readonly #entries = new Map<K, { value: V; weight: number }>()
  readonly #max: number
  #weight = 0

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#entries.size
  }

  /** What stands under `key`, which counts as used now. */
  get(key: K): V | undefined {
    const known = this.#entries.get(key)
    if (!known) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, known)
    return known.value
  }

  set(key: K, value: V, weight: number): void {
    this.delete(key)
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const [old, entry] of this.#entries) {
      if (this.#weight <= this.#max || old === key) break
      this.#entries.delete(old)
      this.#weight -= entry.weight
    }
  }

  /** What stands under `key`, made (and weighed) when nothing does. */
  getOrMake(key: K, make: () => V, weigh: (value: V) => number): V {
    if (this.#entries.has(key)) return this.get(key)!
    const value = make()
    this.set(key, value, weigh(value))
    return value
  }

  delete(key: K): void {
    const known = this.#entries.get(key)
    if (known && this.#entries.delete(key)) this.#weight -= known.weight
  }

  clear(): void {
    this.#entries.clear()
    this.#weight = 0
  }
}
