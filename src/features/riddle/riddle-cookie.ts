/** What `Cookie` headers of visitors with guesses hold, whatever its prefix: their pages are their own. */
export const RIDDLE_COOKIE_MARK = 'perrario-reto='

/** `__Host-` keeps other hosts of the domain from setting it. */
export const riddleCookieName = (secure: boolean): string => `${secure ? '__Host-' : ''}perrario-reto`

/** As long as browsers allow. */
export const RIDDLE_COOKIE_DAYS = 400
