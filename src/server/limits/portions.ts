import { LRUCache } from 'lru-cache'
import { MINUTE_SECONDS } from '#lib/time.ts'
import type { LimitRequest } from './limit-store.ts'

/** A portion of a limit's points. */
const PORTION_SHARE = 1 / 100
/** Portions of longer windows would be lost with every restart of a node. */
const MAX_WINDOW_SECONDS = MINUTE_SECONDS
/** Callers whose portion a node holds. Those that are forgotten take another one. */
const MAX_CALLERS = 10_000

interface Portion {
  left: number
}

/**
 * Points that this node has taken of limits that all nodes share, and not yet given out: a caller with hundreds of calls a minute costs one
 * statement in many. What a node does not give out is lost for the others until the window ends.
 */
export class Portions {
  readonly #held = new LRUCache<string, Portion>({ max: MAX_CALLERS })

  /** How many points to take at once: more than the call needs, where that is a small share of all. */
  sizeFor({ cost, points, seconds }: LimitRequest): number {
    return seconds > MAX_WINDOW_SECONDS ? cost : Math.max(cost, Math.floor(points * PORTION_SHARE))
  }

  /** Gives points out. @returns gives them back; null where too few are left */
  take({ name, caller, cost }: LimitRequest): (() => void) | null {
    const portion = this.#held.get(`${name} ${caller}`)
    if (!portion || portion.left < cost) return null
    portion.left -= cost
    return () => void (portion.left += cost)
  }

  /** Keeps points that were taken for later calls. @param msLeft until their window ends */
  keep({ name, caller }: LimitRequest, points: number, msLeft: number): void {
    const key = `${name} ${caller}`
    const earlier = this.#held.get(key)
    // Two calls at the same moment have both taken some.
    if (earlier) earlier.left += points
    else this.#held.set(key, { left: points }, { ttl: Math.max(1, msLeft) })
  }
}
