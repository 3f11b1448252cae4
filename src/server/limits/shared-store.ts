import { createHmac, type KeyObject } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { isSharedByNodes } from '#db/dialect/dialect.ts'
import { giveBackSharedPoints, takeSharedPoints } from '#db/dialect/postgres/limit-counters.ts'
import { type LimitStore, setSharedStore } from './rate-limit.ts'

/** A key has 128 bits of its HMAC: two of them never meet. */
const KEY_BYTES = 16

/**
 * Has the limits of `SHARED_LIMITS` count in the database where nodes share it. Call it before the first request.
 * @param siteKey the same on all nodes: callers are stored as HMACs under it
 */
export function shareLimits(db: Db, siteKey: KeyObject): void {
  if (!isSharedByNodes(db)) return setSharedStore(undefined)
  const take: LimitStore['take'] = async ({ caller, ...request }) => {
    const text = `limit\0${request.name}\0${caller}`
    const key = createHmac('sha256', siteKey).update(text).digest().subarray(0, KEY_BYTES)
    const { isTaken, msLeft } = await takeSharedPoints(db, { key, ...request })
    if (!isTaken) return { isTaken, msLeft }
    const giveBack = async () => void (await giveBackSharedPoints(db, { key, ...request }))
    return { isTaken, giveBack }
  }
  setSharedStore({ take })
}
