import { createHash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Quota } from '#lib/quota.ts'
import { AppError } from '#lib/errors.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { incrementCounter } from '#server/counters.ts'

/** A limit, and how many callers it tells apart now. */
interface RateLimit {
  limiter: RateLimiterMemory
  callers: number
}

const rateLimits = new Map<string, RateLimit>()

/** Callers that one limit tells apart. Whoever has more networks than this shares what they are left: the newcomers' buckets. */
const MAX_TRACKED_CALLERS = 50_000
const SHARED_BUCKETS = 4096

/** A longer name of a caller is kept as its hash: some are what a request says, an address of mail or the state of a sign-in. */
const MAX_CALLER_CHARS = 64

const toCallerKey = (who: string): string =>
  who.length > MAX_CALLER_CHARS ? createHash('sha256').update(who).digest('base64url') : who

/** Who is counted: the caller, or among too many the bucket of strangers that it falls into. */
async function findCallerKey({ limiter, callers }: RateLimit, who: string): Promise<string> {
  if (callers < MAX_TRACKED_CALLERS || (await limiter.get(who)) !== null) return who
  let sum = 0
  for (let i = 0; i < who.length; i++) sum = (Math.imul(sum, 31) + who.charCodeAt(i)) >>> 0
  return `+${sum % SHARED_BUCKETS}`
}

/** How many callers the limit `what` tells apart now. */
export const countCallers = (what: string): number => rateLimits.get(what)?.callers ?? 0

/** Takes back what was taken, unless its time is over: it would be too many in the next. */
async function refund({ limiter }: RateLimit, key: string, cost: number): Promise<void> {
  const held = await limiter.get(key)
  if (held && held.msBeforeNext > 0) await limiter.reward(key, cost)
}

/** A site (an IPv6 /48) has so many times what each of its networks (/64) has: one customer may hold 65,536 of them. */
const SITE_FACTOR = 4

/**
 * Takes `cost` points of `who` and, where that is an IPv6 network, of the site it belongs to.
 * @returns gives them back
 * @throws AppError 429 with Retry-After; what was refused does not count
 */
async function consume(what: string, who: string, points: number, seconds: number, detail: string, cost = 1) {
  const refundNetwork = await consumeOne(what, who, points, seconds, detail, cost)
  const site = toSitePrefix(who)
  if (site === who) return refundNetwork
  try {
    const refundSite = await consumeOne(`${what} (site)`, site, points * SITE_FACTOR, seconds, detail, cost)
    return async () => void (await Promise.all([refundNetwork(), refundSite()]))
  } catch (error) {
    await refundNetwork()
    throw error
  }
}

async function consumeOne(what: string, who: string, points: number, seconds: number, detail: string, cost: number) {
  let counter = rateLimits.get(what)
  if (!counter) {
    counter = { limiter: new RateLimiterMemory({ points, duration: seconds }), callers: 0 }
    rateLimits.set(what, counter)
  }
  const own = counter
  const key = await findCallerKey(own, toCallerKey(who))
  /** The limiter forgets a caller when their time is over. */
  const noteNew = ({ isFirstInDuration }: RateLimiterRes) => {
    if (!isFirstInDuration) return
    own.callers++
    setTimeout(() => own.callers--, seconds * 1000).unref()
  }
  try {
    noteNew(await own.limiter.consume(key, cost))
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    noteNew(refusal)
    await refund(own, key, cost)
    incrementCounter('refused', what)
    // A clock that was set back makes the rest of the time longer than all of it; what ends it is a timer.
    throw new AppError(429, detail, { retryAfter: Math.min(refusal.msBeforeNext / 1000, seconds) })
  }
  return () => refund(own, key, cost)
}

const TOO_MANY_REQUESTS = 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.'

/**
 * Takes one of `points` that `who` has per `seconds` for `what` (kept in memory: one process serves the site).
 * @param what a name from the sources: figures count by it
 * @param detail what the person reads who has used them up
 * @throws AppError 429 with Retry-After
 */
export async function limit(
  what: string,
  who: string,
  points: number,
  seconds: number,
  detail = TOO_MANY_REQUESTS,
): Promise<void> {
  await consume(what, who, points, seconds, detail)
}

/** `limit` for what is counted by its amount: `cost` of the `points`. @throws AppError 429 with Retry-After */
export async function limitAmount(
  what: string,
  who: string,
  cost: number,
  points: number,
  seconds: number,
  detail = TOO_MANY_REQUESTS,
): Promise<void> {
  await consume(what, who, points, seconds, detail, cost)
}

/**
 * `limit` for what counts only once it is done. A deed holds its place while it runs, so that no more are done at once than
 * may be, and gives it back where it came to nothing.
 */
export const limitSuccessful =
  (what: string, who: string, points: number, seconds: number, detail = TOO_MANY_REQUESTS): Quota =>
  async (deed, isDone = () => true) => {
    const giveBack = await consume(what, who, points, seconds, detail)
    let isCounted = false
    try {
      const result = await deed()
      isCounted = isDone(result)
      return result
    } finally {
      if (!isCounted) await giveBack()
    }
  }
