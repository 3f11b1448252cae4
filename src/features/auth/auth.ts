/** The cookie that holds the session's token. `__Host-` binds it to this host, which browsers allow only under https. */
export const sessionCookieName = (secure: boolean): string => (secure ? '__Host-perrario' : 'perrario')

/** How long a session lasts without a visit, and at most, days. */
export const SESSION_IDLE_DAYS = 30
export const MAX_SESSION_DAYS = 90

/** What is final or tells all asks for a proof of who sits there that is no older than this, minutes. */
export const RECENT_AUTH_MINUTES = 15

/**
 * The cookie by which a device is known that signed in before. It opens nothing: it says whose mails and code tries are not
 * counted among those of strangers.
 */
export const deviceCookieName = (secure: boolean): string => `${secure ? '__Host-' : ''}perrario-aparato`

/** How long a device is known without signing in on it, days: as long as browsers keep a cookie. */
export const KNOWN_DEVICE_DAYS = 400

/** Mails to one mailbox, of each device that signed in to it before and of all others together: [how many, in how many seconds]. */
export const MAILBOX_RATE_LIMITS = [
  [5, 3600],
  [15, 86_400],
] as const

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
export const MAX_SESSIONS_SHOWN = 50

/** How long the session of `npm run dev`'s fake user lasts, seconds (docs/product.md §10.8). */
export const DEV_SESSION_SECONDS = 3600

/** How long a mailed link and its code work, minutes (docs/product.md §10.2). */
export const MAGIC_LINK_MINUTES = 15

/** How often a code may be mistyped before it is void; its link is not guessable and lives on. */
export const MAX_CODE_TRIES = 5

/**
 * How often codes of one mailbox may be mistyped in an hour, over all its mails, apart on known devices and on all others:
 * without it, asking for mail after mail would buy five guesses each. 15 mails a day leave a stranger one chance in 13,000.
 */
export const MAX_CODE_MISSES_PER_HOUR = 30

/** Requests a person behind one IP address may make, on a device that never signed in to the address: [how many, in how many seconds]. */
export const SIGN_IN_RATE_LIMITS = {
  /** Never below 5 a minute (docs/product.md §23.4). */
  mailsPerIp: [10, 60],
  codesPerIp: [30, 300],
  /**
   * The same and mails on devices that signed in to the address before, of one address: nobody else can use them up. Each
   * costs a slow hash.
   */
  codesOfDevices: [30, 300],
  mailsOfDevices: [30, 300],
  /** New accounts need a mail each: as many as a school or a village behind one mobile network's address. */
  mailsPerIpADay: [400, 86_400],
  /** Trips to a provider and back, each way counted: many people may stand behind one address. */
  flowsPerIp: [120, 300],
} as const
