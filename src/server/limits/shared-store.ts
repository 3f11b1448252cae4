import { LRUCache } from 'lru-cache'
import type { Db } from '#db/client.ts'
import { openNodeCounters } from '#db/dialect/node-memory.ts'
import { MINUTE_MS } from '#lib/time.ts'
import type { LimitStore } from './limit-store.ts'
import { Portions } from './portions.ts'
import { setLimitStore } from './rate-limit.ts'

/** Refused callers that are refused again without a statement. */
const MAX_REFUSED = 10_000
/** For this long at most: another node may give points back. */
const REFUSED_MS = 1000
const SWEEP_INTERVAL_MS = MINUTE_MS

interface Refusal {
  cost: number
  /** When its window ends, by this process's clock, ms. */
  until: number
}

/** Limits that all nodes share, and what ends them. */
export interface SharedLimits {
  store: LimitStore
  close: () => Promise<void>
}

/** The shared limits of a database that nodes share; null where one process has it. */
export function createSharedLimits(db: Db): SharedLimits | null {
  const opened = openNodeCounters(db)
  if (!opened) return null
  const { counters } = opened
  const portions = new Portions()
  const refused = new LRUCache<string, Refusal>({ max: MAX_REFUSED, ttl: REFUSED_MS })
  let sweeping: Promise<void> | undefined
  const sweep = () => {
    sweeping ??= counters
      .sweep()
      .catch((error: unknown) => console.error('perrario · los límites caducados no se pudieron borrar:', error))
      .finally(() => void (sweeping = undefined))
  }
  sweep()
  const timer = setInterval(sweep, SWEEP_INTERVAL_MS).unref()
  return {
    store: {
      async take(request) {
        const { name, caller, cost } = request
        const id = `${name} ${caller}`
        const refusal = refused.get(id)
        if (refusal && cost >= refusal.cost) return { isTaken: false, msLeft: Math.max(1, refusal.until - Date.now()) }
        const giveBackHere = portions.take(request)
        if (giveBackHere) return { isTaken: true, giveBack: async () => giveBackHere() }
        const size = portions.sizeFor(request)
        let { key, msLeft } = await counters.take({ ...request, cost: size })
        if (key && size > cost) portions.keep(request, size - cost, msLeft)
        // The last points of a window are fewer than a portion.
        else if (!key && size > cost) ({ key, msLeft } = await counters.take(request))
        if (!key) {
          refused.set(id, { cost, until: Date.now() + msLeft }, { ttl: Math.max(1, Math.min(REFUSED_MS, msLeft)) })
          return { isTaken: false, msLeft }
        }
        const taken = key
        const giveBack = async () => {
          await counters.giveBack(taken, cost)
          refused.delete(id)
        }
        return { isTaken: true, giveBack }
      },
      msExhausted: (request) => counters.msExhausted(request),
      countCallers: (name) => counters.countCallers(name),
    },
    async close() {
      clearInterval(timer)
      await sweeping
      await opened.close()
    },
  }
}

/** Has limits count in the database where nodes share it. Call it before the first request. @returns ends it */
export function openLimits(db: Db): () => Promise<void> {
  const shared = createSharedLimits(db)
  if (!shared) return async () => {}
  setLimitStore(shared.store)
  return async () => {
    setLimitStore(undefined)
    await shared.close()
  }
}
