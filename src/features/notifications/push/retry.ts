import { HOUR_MS, SECOND_MS } from '#lib/time.ts'

/** The most tries per message; with `retryDelay` over some five hours. */
export const MAX_TRIES = 8
/** Older messages are not sent, ms. Also the TTL for push services (RFC 8030 §5.2). */
export const MESSAGE_TTL_MS = 24 * HOUR_MS
/** The pause of a device after a message, ms; notifications that come meanwhile are sent together. */
export const DEVICE_PAUSE_MS = 30 * SECOND_MS
/** Refusals in a row after which a device is deleted. */
export const MAX_REFUSALS = 5

export type PushOutcome = 'sent' | 'gone' | 'refused' | 'later'

/**
 * The meaning of a push service's status. `gone`: the subscription has ended. `refused`: a retry would fail as well (redirects
 * included). `later`: the service is in trouble or rate limits us.
 */
export function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'sent'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status === 408 || status >= 500 ? 'later' : 'refused'
}

/** Parses Retry-After, seconds or a date, to ms from `now`; 0 for a missing or malformed one. */
export function retryAfter(header: string | null, now: number): number {
  if (!header) return 0
  const delayMs = /^\d+$/.test(header.trim()) ? Number(header) * SECOND_MS : Date.parse(header) - now
  return Number.isFinite(delayMs) ? Math.min(Math.max(0, delayMs), MESSAGE_TTL_MS) : 0
}

/** The delay after try number `tries` (from 1), ms: exponential backoff with jitter, but at least `requestedMs` (Retry-After). */
export const retryDelay = (tries: number, requestedMs: number, random = Math.random()): number =>
  Math.max(requestedMs, Math.round(Math.min(2 * HOUR_MS, 30 * SECOND_MS * 3 ** (tries - 1)) * (0.8 + 0.4 * random)))
