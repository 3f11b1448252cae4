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

/** How long a mailed link and its code work, minutes (decisions.md, magic link). */
export const MAGIC_LINK_MINUTES = 15

/** How often a code may be mistyped before it is void. */
export const CODE_TRIES = 5
