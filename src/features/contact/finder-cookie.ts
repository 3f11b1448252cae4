/** `__Host-` keeps other hosts of the domain from setting it. */
export const finderCookieName = (secure: boolean): string => `${secure ? '__Host-' : ''}perrario-hallazgos`

/** Longer than any case: one ends ten days after its last question. */
export const FINDER_COOKIE_DAYS = 180

/** Secrets of one device; the oldest goes first. A browser holds 4 kB of a cookie. */
export const MAX_FINDER_SECRETS = 20
