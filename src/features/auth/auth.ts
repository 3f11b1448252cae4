/** Who is asking, as every page and endpoint sees them. Times in milliseconds. */
export interface CurrentUser {
  id: string
  email: string | null
  alias: string
  emoji: string
  verified: boolean
}

/** The cookie that holds the session's token. `__Host-` binds it to this host, which browsers allow only under https. */
export const sessionCookie = (secure: boolean): string => (secure ? '__Host-perrario' : 'perrario')

/** How long a session lasts without a visit, days. */
export const SESSION_DAYS = 30

/** An open session as its member sees it. Times in milliseconds; `created_at` is null for very old ones. */
export interface OpenSession {
  /** A public name for it; neither token nor hash. */
  id: string
  device: string | null
  created_at: number | null
  expires_at: number
  /** It is the asking browser's own. */
  current: boolean
}

/** How many of their open sessions a member sees, the latest first. */
export const SESSIONS_SHOWN = 50

/** How long the session of `npm run dev`'s fake user lasts, seconds (spec.md §4). */
export const DEV_SESSION_SECONDS = 3600

/** How long a mailed link and its code work, minutes (decisions.md, magic link). */
export const MAGIC_LINK_MINUTES = 15

/** How often a code may be mistyped before it is void; its link is not guessable and lives on. */
export const CODE_TRIES = 5

/**
 * How often codes of one address may be mistyped in an hour, over all its mails: without it, asking for mail after
 * mail would buy five guesses each. 30 an hour leave a guesser one chance in 1,400 after a whole day.
 */
export const CODE_MISSES_PER_HOUR = 30

/** Requests a person behind one IP address, or for one mail address, may make: [how many, in how many seconds]. */
export const LIMITS = {
  /** decisions.md sets the floor at 5 a minute. */
  mailsPerIp: [10, 60],
  mailsPerAddress: [20, MAGIC_LINK_MINUTES * 60],
  codesPerIp: [30, 300],
  /** New accounts need a mail each: as many as a school or a village behind one mobile network's address. */
  mailsPerIpADay: [400, 86_400],
  /** Trips to a provider and back, each way counted: many people may stand behind one address. */
  flowsPerIp: [120, 300],
} as const
