import { createHash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

export interface LimitRequest {
  /** The limit's name, a constant. */
  name: string
  caller: string
  cost: number
  /** What the caller has in `seconds`. */
  points: number
  seconds: number
}

/** The points were taken, or else nothing was. */
export type LimitResult =
  | { isTaken: true; giveBack: () => Promise<void> }
  | {
      isTaken: false
      /** Until the caller has points again. */
      msLeft: number
    }

/** Where limits count. */
export interface LimitStore {
  /** @throws where it cannot be reached */
  take: (request: LimitRequest) => Promise<LimitResult>
}

/** The memory of this process. */
export interface MemoryStore extends LimitStore {
  /** How long the caller has no points left, ms; 0 where there are any. Takes none. */
  msExhausted: (request: Omit<LimitRequest, 'cost'>) => Promise<number>
  /** How many callers the limit `name` tracks now. */
  countCallers: (name: string) => number
}

/** A limit, and how many callers it tracks now. */
interface RateLimit {
  limiter: RateLimiterMemory
  callers: number
}

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

/** Gives points back, unless their period is over: the next period would have too many. */
async function refund({ limiter }: RateLimit, key: string, cost: number): Promise<void> {
  const current = await limiter.get(key)
  if (current && current.msBeforeNext > 0) await limiter.reward(key, cost)
}

/** Counts in the memory of this process. */
export function createMemoryStore(): MemoryStore {
  const rateLimits = new Map<string, RateLimit>()
  return {
    async take({ name, caller, cost, points, seconds }) {
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
        return { isTaken: false, msLeft: refusal.msBeforeNext }
      }
      return { isTaken: true, giveBack: () => refund(rateLimit, key, cost) }
    },
    async msExhausted({ name, caller, points }) {
      const rateLimit = rateLimits.get(name)
      const current = rateLimit && (await rateLimit.limiter.get(await findCallerKey(rateLimit, toCallerKey(caller))))
      return current && current.consumedPoints >= points ? Math.max(0, current.msBeforeNext) : 0
    },
    countCallers: (name) => rateLimits.get(name)?.callers ?? 0,
  }
}
