/** Why a share of a pool was taken back: its owner, or all owners together, held too much. */
export type Overload = 'owner' | 'all'

/** What one owner holds of a pool. */
export interface Hold {
  /** Holds `amount` from now on, instead of what it held before. Others, or this hold itself, may be evicted for it. */
  resize: (amount: number) => void
  /** While pinned, it is not evicted for others. */
  pin: (isPinned: boolean) => void
  release: () => void
}

interface Entry {
  owner: string | symbol
  amount: number
  isPinned: boolean
  isHeld: boolean
  evict: (why: Overload) => void
}

interface Share {
  amount: number
  /** Oldest first. */
  entries: Set<Entry>
}

interface PoolLimits {
  /** What all owners together may hold. */
  max: number
  /** What one owner may hold. */
  maxPerOwner: number
  /** What gives way when an owner holds too much: what has just grown, or the owner's oldest hold. */
  ownerGives: 'itself' | 'oldest'
}

/**
 * A bounded amount of bytes or connections that owners share, such as the networks of the clients. Beyond the amount of all, the owner
 * with the most loses its oldest hold that is not pinned: nobody who holds much keeps out those who hold little.
 */
export class FairPool {
  readonly #limits: PoolLimits
  readonly #shares = new Map<string | symbol, Share>()
  #amount = 0

  constructor(limits: PoolLimits) {
    this.#limits = limits
  }

  /** What all owners hold together. */
  get amount(): number {
    return this.#amount
  }

  /**
   * Opens a hold of nothing.
   * @param owner undefined for an unknown one, which is then an owner by itself
   * @param evict called once when the hold has to give way; it is released already
   */
  hold(owner: string | undefined, evict: (why: Overload) => void): Hold {
    const entry: Entry = { owner: owner ?? Symbol('unknown'), amount: 0, isPinned: false, isHeld: true, evict }
    return {
      resize: (amount) => this.#resize(entry, amount),
      pin: (isPinned) => void (entry.isPinned = isPinned),
      release: () => this.#release(entry),
    }
  }

  #resize(entry: Entry, amount: number): void {
    if (!entry.isHeld) return
    const share = this.#shares.get(entry.owner) ?? { amount: 0, entries: new Set<Entry>() }
    this.#shares.set(entry.owner, share)
    share.entries.add(entry)
    share.amount += amount - entry.amount
    this.#amount += amount - entry.amount
    entry.amount = amount
    const { max, maxPerOwner, ownerGives } = this.#limits
    while (share.amount > maxPerOwner && entry.isHeld)
      this.#evict(ownerGives === 'oldest' ? (findUnpinned(share) ?? entry) : entry, 'owner')
    while (this.#amount > max) {
      const victim = this.#findLargestUnpinned()
      if (!victim) return
      this.#evict(victim, 'all')
    }
  }

  #findLargestUnpinned(): Entry | undefined {
    let largest: Entry | undefined
    let most = -1
    for (const share of this.#shares.values()) {
      const entry = share.amount > most ? findUnpinned(share) : undefined
      if (entry) [largest, most] = [entry, share.amount]
    }
    return largest
  }

  #evict(entry: Entry, why: Overload): void {
    this.#release(entry)
    entry.evict(why)
  }

  #release(entry: Entry): void {
    if (!entry.isHeld) return
    entry.isHeld = false
    const share = this.#shares.get(entry.owner)
    if (!share?.entries.delete(entry)) return
    share.amount -= entry.amount
    this.#amount -= entry.amount
    if (share.entries.size === 0) this.#shares.delete(entry.owner)
  }
}

function findUnpinned({ entries }: Share): Entry | undefined {
  for (const entry of entries) if (!entry.isPinned && entry.amount > 0) return entry
  return undefined
}
