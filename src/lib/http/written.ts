/** The cookie with the position of the last change that its browser has made (db/positions.ts). */
export const WRITTEN_COOKIE = 'perrario-written'
/** The header of the answer to a write with the same, which programs without cookies send back. */
export const WRITTEN_HEADER = 'Perrario-Written'

/** Likes and counts may lag so many times longer behind others' changes than everything else (PAGE_CACHE_POLL_MS). */
export const COUNTS_LAG_FACTOR = 30

const COOKIE_VALUE = new RegExp(`(?:^|; ?)${WRITTEN_COOKIE}=(\\d{1,16})(?:;|$)`)
const HEADER_VALUE = /^\d{1,16}$/

/** The position in a request's cookies; 0 for none. */
export const readWrittenCookie = (cookies: string): number =>
  cookies.includes(WRITTEN_COOKIE) ? Number(COOKIE_VALUE.exec(cookies)?.[1] ?? 0) : 0

/** The position in the header; 0 where it is none. */
export const readWrittenHeader = (value: string): number => (HEADER_VALUE.test(value) ? Number(value) : 0)
