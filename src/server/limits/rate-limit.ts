import type { Quota } from '#lib/quota.ts'
import { errorCode } from '#lib/error-code.ts'
import { AppError } from '#lib/errors.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { incrementCounter } from '#server/counters.ts'
import { createMemoryStore, type LimitRequest, type LimitStore } from './limit-store.ts'

export type { LimitStore } from './limit-store.ts'

const memoryStore = createMemoryStore()
let sharedStore: LimitStore = memoryStore

/** Where the limits of all nodes together count; undefined for this process's memory, as with one process. */
export function setSharedStore(store: LimitStore | undefined): void {
  sharedStore = store ?? memoryStore
}

/**
 * What nodes that share a database count together: accounts, mails, and what is used once. All other limits are each node's, which has as many processors more.
 * Detections count in `daily_budgets`.
 */
const SHARED_LIMITS: ReadonlySet<string> = new Set([
  'account-create',
  'account-create-total',
  'contact-address',
  'contact-address-mailbox',
  'contact-address-thread',
  'email-change',
  'oauth-callback',
  'proof-of-work',
  'sign-in-mail',
  'sign-in-mail-day',
  'sign-in-mail-known-device',
])
const isShared = (name: string): boolean => SHARED_LIMITS.has(name.replace(SITE_SUFFIX, ''))

/** @throws AppError 503 while the database is unavailable */
const take = (request: LimitRequest) =>
  (isShared(request.name) ? sharedStore : memoryStore).take(request).catch(throwUnavailable)

/** Takes points, all of `cost` or none. @returns whether there were as many. @throws AppError 503 while the database is unavailable */
export const takePoints = async (request: LimitRequest): Promise<boolean> => (await take(request)).isTaken

/** How long `caller` has no points of a limit of this node left, ms; 0 where there are any. */
export const { msExhausted, countCallers } = memoryStore

/** What follows the name of a limit where it counts the networks of one IPv6 site together. */
const SITE_SUFFIX = '-ipv6-site'

/** Points of an IPv6 site (/48), as a multiple of those of a network (/64): one customer may hold 65,536 networks. */
const SITE_FACTOR = 4

/** While the store of the limits is unavailable. */
const UNAVAILABLE_TEXT = 'Ahora mismo no podemos responder. Inténtalo de nuevo en un momento.'
const UNAVAILABLE_RETRY_SECONDS = 5

type Caller = Omit<LimitRequest, 'cost'> & { cost?: number; detail: string }

/**
 * Takes `cost` points of `caller` and, where that is an IPv6 network, of its site.
 * @returns a function that gives them back
 * @throws AppError 429 with Retry-After: a refused call takes no points; 503 where the store does not answer
 */
async function consume(request: Caller): Promise<() => Promise<void>> {
  const { name, caller, points } = request
  const refundNetwork = await consumeOne(request)
  const site = toSitePrefix(caller)
  if (site === caller) return refundNetwork
  try {
    const ofSite = { ...request, name: name + SITE_SUFFIX, caller: site, points: points * SITE_FACTOR }
    const refundSite = await consumeOne(ofSite)
    return async () => void (await Promise.all([refundNetwork(), refundSite()]))
  } catch (error) {
    await refundNetwork()
    throw error
  }
}

async function consumeOne({ cost = 1, detail, ...limited }: Caller): Promise<() => Promise<void>> {
  const { name, seconds } = limited
  const result = await take({ ...limited, cost })
  if (result.isTaken) return () => result.giveBack().catch((error: unknown) => logUnavailable(error))
  incrementCounter('refused', name)
  // After the clock was set back the rest of the period would be longer than all of it; a timer ends it in time.
  throw new AppError(429, detail, { retryAfter: Math.min(result.msLeft / 1000, seconds) })
}

/** Reasons with a line in one minute. */
const MAX_REASONS = 10
const failureLog = { minuteStart: -Infinity, reasons: new Set<string>(), unwritten: 0 }

/** One line without a stack for each reason and minute: every call meets the same. The next line counts those without one. */
export function logUnavailable(error: unknown, now = performance.now()): void {
  const reason = errorCode(error) || (error instanceof Error ? error.message : '')
  if (now - failureLog.minuteStart >= MINUTE_MS) {
    failureLog.minuteStart = now
    failureLog.reasons.clear()
  }
  if (failureLog.reasons.has(reason) || failureLog.reasons.size >= MAX_REASONS) return void failureLog.unwritten++
  failureLog.reasons.add(reason)
  const others = failureLog.unwritten > 0 ? ` · ${failureLog.unwritten} más sin línea` : ''
  failureLog.unwritten = 0
  console.error(`perrario · los límites no se pueden contar (${reason})${others}`)
}

function throwUnavailable(error: unknown): never {
  logUnavailable(error)
  throw new AppError(503, UNAVAILABLE_TEXT, { retryAfter: UNAVAILABLE_RETRY_SECONDS })
}

/** The sentence of limits without one of their own. */
export const TOO_MANY_REQUESTS = 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.'

/**
 * Takes one of the `points` that `caller` has per `seconds`, on this node or, of `SHARED_LIMITS`, on all.
 * @param name the limit's name, a constant in kebab case: metrics are labelled with it. One that ends in `-network` is a network's share,
 *   one in `-total` the whole community's
 * @param detail Spanish sentence for a caller without points left
 * @throws AppError 429 with Retry-After; 503 while the database is unavailable
 */
export async function limit(
  name: string,
  caller: string,
  points: number,
  seconds: number,
  detail = TOO_MANY_REQUESTS,
): Promise<void> {
  await consume({ name, caller, points, seconds, detail })
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
  await consume({ name, caller, points, seconds, detail, cost })
}

/**
 * `limit` for actions that count only when they succeed. An action takes its point while it runs, so that no more than `points`
 * run at once, and gives it back when it fails.
 */
export const limitSuccessful =
  (name: string, caller: string, points: number, seconds: number, detail = TOO_MANY_REQUESTS): Quota =>
  async (action, isCountable = () => true) => {
    const giveBack = await consume({ name, caller, points, seconds, detail })
    let isCounted = false
    try {
      const result = await action()
      isCounted = isCountable(result)
      return result
    } finally {
      if (!isCounted) await giveBack()
    }
  }
