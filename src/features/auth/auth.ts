import type * as z from 'zod/mini'
import type { openSessionAnswer } from './answers.ts'
/** Name of the session cookie. `__Host-` binds it to this host; browsers accept that prefix only over https. */
export const sessionCookieName = (secure: boolean): string => (secure ? '__Host-perrario' : 'perrario')

/** A `Set-Cookie` that removes the session's cookie, with the attributes it was set with. */
export const clearedSessionCookie = (secure: boolean): string =>
  `${sessionCookieName(secure)}=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly;${secure ? ' Secure;' : ''} SameSite=Lax`

/** Days a session lasts without a visit, and at most. */
export const SESSION_IDLE_DAYS = 30
export const MAX_SESSION_DAYS = 90

/**
 * Days in which whoever reads one of an account's addresses can say that it was not they who signed in, changed the address or asked for the
 * deletion; and for which the account is then protected.
 */
export const UNDO_DAYS = 7

/** Maximum age, in minutes, of the authentication that deleting the account or exporting its data requires. */
export const RECENT_AUTH_MINUTES = 15

/**
 * Name of the cookie that identifies a device that signed in before. It grants no access: it only gives the device rate limits
 * of its own for mails and code tries, apart from those of unknown devices.
 */
export const deviceCookieName = (secure: boolean): string => `${secure ? '__Host-' : ''}perrario-aparato`

/** Days a device stays known without a sign-in: the longest lifetime that browsers allow a cookie. */
export const KNOWN_DEVICE_DAYS = 400

/** Mails to one mailbox per known device, and for all unknown devices together: [count, seconds]. */
export const MAILBOX_RATE_LIMITS = [
  [5, 3600],
  [15, 86_400],
] as const

/** An open session as its member sees it. Times in milliseconds; `created_at` is null for sessions from before the column. */
export type OpenSession = z.output<typeof openSessionAnswer>

/** Open sessions that a member's list shows, latest first. */
export const MAX_SESSIONS_SHOWN = 50

/** Seconds the session of `npm run dev`'s fake user lasts (docs/product.md §10.8). */
export const DEV_SESSION_SECONDS = 3600

/** Minutes a mailed link and its code are valid (docs/product.md §10.2). */
export const MAGIC_LINK_MINUTES = 15

/** Whole minutes until `expiresAt`, as a mail says them: one that is written within seconds has all of them. */
export const minutesUntil = (expiresAt: number, now = Date.now()): number =>
  Math.floor((expiresAt - now) / 60_000 + 0.2)

/**
 * Minutes that a link and its code must be good for to be mailed again: nobody can use a mail that ends as it arrives. With less a new code
 * is made, and the old one lives to its end.
 */
export const MIN_RESEND_MINUTES = 2

/** Wrong tries after which a code is void. Its link stays valid: it cannot be guessed. */
export const MAX_CODE_TRIES = 5

/**
 * Wrong tries per hour for one mailbox, over all its mails; counted separately on known devices and on unknown ones. Without
 * this limit every requested mail would buy five more guesses. 15 mails a day leave a stranger one chance in 13,000.
 */
export const MAX_CODE_MISSES_PER_HOUR = 30

/** Sign-in rate limits: [count, seconds]. */
export const SIGN_IN_RATE_LIMITS = {
  /** Mails that unknown devices behind one IP address may request; never below 5 a minute (docs/product.md §23.4). */
  mailsPerNetwork: [10, 60],
  /** Codes that unknown devices behind one IP address may try. */
  codesPerNetwork: [30, 300],
  /**
   * Codes and mails of devices that signed in to the e-mail address before, per address: nobody else can exhaust them. Each
   * costs a slow hash.
   */
  codesOfDevices: [30, 300],
  mailsOfDevices: [30, 300],
  /** Every new account needs a mail: enough for a school or a village behind one mobile network's address. */
  mailsPerNetworkPerDay: [400, 86_400],
  /** Redirects to a provider and back, each counted: many people may share one address. */
  flowsPerNetwork: [120, 300],
} as const
