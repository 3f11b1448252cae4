import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Admit } from '#lib/admit.ts'
import { AppError } from '#lib/errors.ts'
import { tally } from './tally.ts'

const limiters = new Map<string, RateLimiterMemory>()

/** Callers that one limit tells apart. Whoever has more networks than this shares what they are left: the newcomers' buckets. */
const MOST_CALLERS = 50_000
const BUCKETS = 4096

/** What the library holds, by caller. It says so to nobody; tests/unit/rate.test.ts notices if it moves. */
const heldBy = (limiter: RateLimiterMemory): Map<string, unknown> =>
  (limiter as unknown as { _memoryStorage: { _storage: Map<string, unknown> } })._memoryStorage._storage

/** Who is counted: the caller, or among too many the bucket of strangers that it falls into. */
function counted(limiter: RateLimiterMemory, who: string): string {
  const held = heldBy(limiter)
  if (held.size < MOST_CALLERS || held.has(limiter.getKey(who))) return who
  let sum = 0
  for (let i = 0; i < who.length; i++) sum = (Math.imul(sum, 31) + who.charCodeAt(i)) >>> 0
  return `+${sum % BUCKETS}`
}

/** How many callers the limit `what` tells apart now. */
export function callersOf(what: string): number {
  const limiter = limiters.get(what)
  return limiter ? heldBy(limiter).size : 0
}

/** Takes back what was taken, unless its time is over: it would be too many in the next. */
async function giveBack(limiter: RateLimiterMemory, key: string, cost: number): Promise<void> {
  if (heldBy(limiter).has(limiter.getKey(key))) await limiter.reward(key, cost)
}

/** `cost` points taken; `giveBack` undoes it. @throws AppError 429 with Retry-After; what was refused does not count */
async function take(what: string, who: string, points: number, seconds: number, detail: string, cost = 1) {
  let limiter = limiters.get(what)
  if (!limiter) limiters.set(what, (limiter = new RateLimiterMemory({ points, duration: seconds })))
  const key = counted(limiter, who)
  try {
    await limiter.consume(key, cost)
  } catch (refusal) {
    await giveBack(limiter, key, cost)
    const retryAfter = ((refusal as RateLimiterRes).msBeforeNext ?? seconds * 1000) / 1000
    tally('refused', what)
    throw new AppError(429, detail, { retryAfter })
  }
  return () => giveBack(limiter, key, cost)
}

const WAIT = 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.'

/**
 * Takes one of `points` that `who` has per `seconds` for `what` (kept in memory: one process serves the site).
 * @param what a name from the sources: figures count by it
 * @param detail what the person reads who has used them up
 * @throws AppError 429 with Retry-After
 */
export async function limit(what: string, who: string, points: number, seconds: number, detail = WAIT): Promise<void> {
  await take(what, who, points, seconds, detail)
}

/** `limit` for what is counted by its amount: `cost` of the `points`. @throws AppError 429 with Retry-After */
export async function limitAmount(
  what: string,
  who: string,
  cost: number,
  points: number,
  seconds: number,
  detail = WAIT,
): Promise<void> {
  await take(what, who, points, seconds, detail, cost)
}

/**
 * `limit` for what counts only once it is done. A deed holds its place while it runs, so that no more are done at once than
 * may be, and gives it back where it came to nothing.
 */
export const limitDone =
  (what: string, who: string, points: number, seconds: number, detail = WAIT): Admit =>
  async (deed, isDone = () => true) => {
    const giveBack = await take(what, who, points, seconds, detail)
    let isCounted = false
    try {
      const result = await deed()
      isCounted = isDone(result)
      return result
    } finally {
      if (!isCounted) await giveBack()
    }
  }
