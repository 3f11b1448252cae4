import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '#lib/errors.ts'
import { tally } from './tally.ts'

const limiters = new Map<string, RateLimiterMemory>()

/** Callers that one limit tells apart. Whoever has more networks than this shares what they are left: the newcomers' buckets. */
const MOST_CALLERS = 50_000
const BUCKETS = 4096

/** Who is counted: the caller, or among too many the bucket of strangers that it falls into. */
function counted(limiter: RateLimiterMemory, who: string): string {
  // The library says how many it holds to nobody; tests/unit/rate.test.ts notices if it moves them.
  const held = (limiter as unknown as { _memoryStorage: { _storage: Map<string, unknown> } })._memoryStorage._storage
  if (held.size < MOST_CALLERS || held.has(limiter.getKey(who))) return who
  let sum = 0
  for (let i = 0; i < who.length; i++) sum = (Math.imul(sum, 31) + who.charCodeAt(i)) >>> 0
  return `+${sum % BUCKETS}`
}

/** How many callers the limit `what` tells apart now. */
export const callersOf = (what: string): number =>
  (limiters.get(what) as unknown as { _memoryStorage: { _storage: Map<string, unknown> } } | undefined)?._memoryStorage
    ._storage.size ?? 0

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
  detail = 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.',
): Promise<void> {
  let limiter = limiters.get(what)
  if (!limiter) limiters.set(what, (limiter = new RateLimiterMemory({ points, duration: seconds })))
  try {
    await limiter.consume(counted(limiter, who))
  } catch (refusal) {
    const retryAfter = ((refusal as RateLimiterRes).msBeforeNext ?? seconds * 1000) / 1000
    tally('refused', what)
    throw new AppError(429, detail, { retryAfter })
  }
}
