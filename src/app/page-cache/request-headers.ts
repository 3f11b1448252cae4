import { readWrittenCookie, readWrittenHeader, WRITTEN_HEADER } from '#lib/http/written.ts'

/** The request headers that a cached page's answer depends on. */
export interface CacheRequestHeaders {
  cookie: string | undefined
  /** The position of the reader's last change (db/positions.ts); 0 for none. */
  written: number
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
  /** A cookie to send with the page. */
  setCookie?: string
}

/** Characters of a session's token: no other value is looked up. */
const TOKEN = /^[\w.-]{1,64}$/

/** The token of the session cookie; null where it can be none, or where there are two of them. */
export function findSessionToken(cookies: string, session: string): string | null {
  const [pair = '', ...others] = cookies.split(/;\s*/).filter((one) => one.startsWith(session))
  const token = others.length === 0 ? pair.slice(session.length) : ''
  return TOKEN.test(token) ? token : null
}

/** The lengths of the headers' names. */
const NAME_LENGTHS = new Set(['cookie', 'if-none-match', 'accept-encoding', WRITTEN_HEADER].map(({ length }) => length))
const WRITTEN_NAME = WRITTEN_HEADER.toLowerCase()

/** Reads the raw headers: Node builds `req.headers` lazily, which takes as long as the rest of the answer. */
export function readCacheRequestHeaders(raw: string[]): CacheRequestHeaders {
  const found: CacheRequestHeaders = {
    cookie: undefined,
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
    written: 0,
  }
  for (let i = 0; i < raw.length; i += 2) {
    const header = raw[i] ?? ''
    if (!NAME_LENGTHS.has(header.length)) continue
    const name = header.toLowerCase()
    const value = raw[i + 1] ?? ''
    if (name === 'cookie') found.cookie = found.cookie === undefined ? value : `${found.cookie}; ${value}`
    else if (name === 'accept-encoding') found.acceptEncoding ??= value
    else if (name === 'if-none-match') found.ifNoneMatch ??= value
    else if (name === WRITTEN_NAME) found.written = readWrittenHeader(value)
  }
  if (found.cookie !== undefined) found.written ||= readWrittenCookie(found.cookie)
  return found
}
