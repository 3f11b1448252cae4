import { createHash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Quota } from '#lib/quota.ts'
import { AppError } from '#lib/errors.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { incrementCounter } from '#server/counters.ts'

/** A limit, and how many callers it tracks now. */
interface RateLimit {
  limiter: RateLimiterMemory
  callers: number
}

const rateLimits = new Map<string, RateLimit>()

/** Callers that one limit tracks. Further callers share SHARED_BUCKETS buckets, so that memory stays bounded. */
const MAX_TRACKED_CALLERS = 50_000
const SHARED_BUCKETS = 4096

/** A longer caller is stored as its hash: some come from the request, such as a mail address or the state of a sign-in. */
const MAX_CALLER_CHARS = 64

const toCallerKey = (caller: string): string =>
  caller.length > MAX_CALLER_CHARS ? createHash('sha256').update(caller).digest('base64url') : caller

/** The key that is counted: the caller, or beyond MAX_TRACKED_CALLERS the shared bucket of its hash. */
async function findCallerKey({ limiter, callers }: RateLimit, caller: string): Promise<string> {
  if (callers < MAX_TRACKED_CALLERS || (await limiter.get(caller)) !== null) return caller
  let hash = 0
  for (let i = 0; i < caller.length; i++) hash = (Math.imul(hash, 31) + caller.charCodeAt(i)) >>> 0
  return `+${hash % SHARED_BUCKETS}`
}

/** How many callers the limit `name` tracks now. */
export const countCallers = (name: string): number => rateLimits.get(name)?.callers ?? 0

/** Gives points back, unless their period is over: the next period would have too many. */
async function refund({ limiter }: RateLimit, key: string, cost: number): Promise<void> {
  const current = await limiter.get(key)
  if (current && current.msBeforeNext > 0) await limiter.reward(key, cost)
}

/** Points of an IPv6 site (/48), as a multiple of those of a network (/64): one customer may hold 65,536 networks. */
const SITE_FACTOR = 4

/**
 * Takes `cost` points of `caller` and, where that is an IPv6 network, of its site.
 * @returns a function that gives them back
 * @throws AppError 429 with Retry-After; a refused call takes no points
 */
async function consume(name: string, caller: string, points: number, seconds: number, detail: string, cost = 1) {
  const refundNetwork = await consumeOne(name, caller, points, seconds, detail, cost)
  const site = toSitePrefix(caller)
  if (site === caller) return refundNetwork
  try {
    const refundSite = await consumeOne(`${name}-ipv6-site`, site, points * SITE_FACTOR, seconds, detail, cost)
    return async () => void (await Promise.all([refundNetwork(), refundSite()]))
  } catch (error) {
    await refundNetwork()
    throw error
  }
}

async function consumeOne(name: string, caller: string, points: number, seconds: number, detail: string, cost: number) {
  const rateLimit = rateLimits.get(name) ?? {
    limiter: new RateLimiterMemory({ points, duration: seconds }),
    callers: 0,
  }
  rateLimits.set(name, rateLimit)
  const key = await findCallerKey(rateLimit, toCallerKey(caller))
  /** Counts a new caller until the limiter forgets it, at the end of its period. */
  const countNewCaller = ({ isFirstInDuration }: RateLimiterRes) => {
    if (!isFirstInDuration) return
    rateLimit.callers++
    setTimeout(() => rateLimit.callers--, seconds * 1000).unref()
  }
  try {
    countNewCaller(await rateLimit.limiter.consume(key, cost))
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    countNewCaller(refusal)
    await refund(rateLimit, key, cost)
    incrementCounter('refused', name)
    // After the clock was set back the rest of the period would be longer than all of it; a timer ends it in time.
    throw new AppError(429, detail, { retryAfter: Math.min(refusal.msBeforeNext / 1000, seconds) })
  }
  return () => refund(rateLimit, key, cost)
}

/** The sentence of limits without one of their own. */
export const TOO_MANY_REQUESTS = 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.'

/**
 * Takes one of the `points` that `caller` has per `seconds` (in memory, since one process serves the site).
 * @param name the limit's name, a constant in kebab case: metrics are labelled with it. One that ends in `-network` is a network's share,
 *   one in `-total` the whole community's
 * @param detail Spanish sentence for a caller without points left
 * @throws AppError 429 with Retry-After
 */
export async function limit(
  name: string,
  caller: string,
  points: number,
  seconds: number,
  detail = TOO_MANY_REQUESTS,
): Promise<void> {
  await consume(name, caller, points, seconds, detail)
}

/** `limit` for actions of different cost: takes `cost` of the `points`. @throws AppError 429 with Retry-After */
export async function limitAmount(
  name: string,
  caller: string,
  cost: number,
  points: number,
  seconds: number,
  detail = TOO_MANY_REQUESTS,
): Promise<void> {
  await consume(name, caller, points, seconds, detail, cost)
}

/**
 * `limit` for actions that count only when they succeed. An action takes its point while it runs, so that no more than `points`
 * run at once, and gives it back when it fails.
 */
export const limitSuccessful =
  (name: string, caller: string, points: number, seconds: number, detail = TOO_MANY_REQUESTS): Quota =>
  async (action, isCountable = () => true) => {
    const giveBack = await consume(name, caller, points, seconds, detail)
    let isCounted = false
    try {
      const result = await action()
      isCounted = isCountable(result)
      return result
    } finally {
      if (!isCounted) await giveBack()
    }
  }
