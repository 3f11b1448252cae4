import { AppError } from '#lib/errors.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import type { Quota } from '#lib/quota.ts'
import { HOUR_SECONDS, MINUTE_SECONDS } from '#lib/time.ts'
import { incrementCounter } from '#server/counters.ts'
import { msExhausted, takePoints } from './rate-limit.ts'

// Whether a network misbehaves: what it was refused for lately. Each node counts for itself, as its limits do: it is bounded, and ends by
// itself. An IPv6 network counts as its site: a /48 has 65,536 of them.

/** Offences of a network in OFFENCE_WINDOW_SECONDS that are overlooked; the next one makes it suspect. */
const MAX_OFFENCES = 5
const OFFENCE_WINDOW_SECONDS = 10 * MINUTE_SECONDS
/** How long a network stays suspect. */
const SUSPICION_SECONDS = HOUR_SECONDS / 2

/** What weighs more than one refusal: only programs fill in the honeypot, but for a browser now and then. */
export const HONEYPOT_OFFENCE = 2

const suspicionOf = (network: string) => ({
  name: 'suspect-network',
  caller: toSitePrefix(network),
  points: 1,
  seconds: SUSPICION_SECONDS,
})

/**
 * Counts an offence of `network`: a filled honeypot, a form sent faster than anybody types, a refusal by a limit of what visitors may
 * write.
 */
export async function recordOffence(network: string, cost = 1): Promise<void> {
  const window = { points: MAX_OFFENCES, seconds: OFFENCE_WINDOW_SECONDS }
  if (await takePoints({ name: 'offences-network', caller: toSitePrefix(network), cost, ...window })) return
  if (await takePoints({ ...suspicionOf(network), cost: 1 }))
    incrementCounter('refused', 'networks that became suspect')
}

/** How long `network` stays suspect, ms; 0 for one that is not. */
export const suspicionLeft = (network: string): Promise<number> => msExhausted(suspicionOf(network))

const isRefusal = (error: unknown): boolean => error instanceof AppError && error.status === 429

/** Applies a limit of `network`, whose refusal is an offence. @throws as `apply` does */
export async function countRefusal(network: string, apply: () => Promise<void>): Promise<void> {
  try {
    await apply()
  } catch (error) {
    if (isRefusal(error)) await recordOffence(network)
    throw error
  }
}

/** A quota of `network`, whose refusal is an offence; what the admitted action throws is none. */
export const countRefusals =
  (network: string, quota: Quota): Quota =>
  async (action, isCountable) => {
    let isAdmitted = false
    try {
      return await quota(() => {
        isAdmitted = true
        return action()
      }, isCountable)
    } catch (error) {
      if (!isAdmitted && isRefusal(error)) await recordOffence(network)
      throw error
    }
  }
