const SECOND_MS = 1000
const HOUR_MS = 3_600_000

/** How often a message is tried; with these waits over some five hours. */
export const MAX_TRIES = 8
/** What is older is news no longer, ms. The push services are told the same (TTL). */
export const MESSAGE_TTL_MS = 24 * HOUR_MS
/** After a message a device is left in peace for so long, ms; what comes meanwhile is told together. */
export const DEVICE_PAUSE_MS = 30 * SECOND_MS
/** How often in a row a service may refuse a device before it counts as dead. */
export const MAX_REFUSALS = 5

export type PushOutcome = 'sent' | 'gone' | 'refused' | 'later'

/**
 * What a push service's status means. `gone`: the person turned notices off in the browser or it is no more. `refused`:
 * trying again the same changes nothing, a redirect included. `later`: its trouble, or too much at once.
 */
export function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'sent'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status === 408 || status >= 500 ? 'later' : 'refused'
}

/** Retry-After in seconds or as a date, ms from `now`; 0 where there is none that can be read. */
export function retryAfter(header: string | null, now: number): number {
  if (!header) return 0
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * SECOND_MS : Date.parse(header) - now
  return Number.isFinite(wait) ? Math.min(Math.max(0, wait), MESSAGE_TTL_MS) : 0
}

/** How long to wait after try number `tries` (from 1), ms; what the service asks for counts where it is longer. */
export const retryDelay = (tries: number, asked: number, random = Math.random()): number =>
  Math.max(asked, Math.min(2 * HOUR_MS, 30 * SECOND_MS * 3 ** (tries - 1)) * (0.8 + 0.4 * random))
