import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '#lib/errors.ts'

const limiters = new Map<string, RateLimiterMemory>()

/**
 * Takes one of `points` that `who` has per `seconds` for `what` (kept in memory: one process serves the site).
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
    await limiter.consume(who)
  } catch (refusal) {
    const retryAfter = ((refusal as RateLimiterRes).msBeforeNext ?? seconds * 1000) / 1000
    throw new AppError(429, detail, { retryAfter })
  }
}
