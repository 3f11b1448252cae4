/** The request headers that a cached page's answer depends on. */
export interface CacheRequestHeaders {
  cookie: string | undefined
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

/** Reads the raw headers: Node builds `req.headers` lazily, which takes as long as the rest of the answer. */
export function readCacheRequestHeaders(raw: string[]): CacheRequestHeaders {
  const requestHeaders: CacheRequestHeaders = { cookie: undefined, acceptEncoding: undefined, ifNoneMatch: undefined }
  for (let i = 0; i < raw.length; i += 2) {
    const header = raw[i] ?? ''
    const { length } = header
    if (length !== 6 && length !== 13 && length !== 15) continue
    const name = header.toLowerCase()
    if (name === 'cookie')
      requestHeaders.cookie =
        requestHeaders.cookie === undefined ? raw[i + 1] : `${requestHeaders.cookie}; ${raw[i + 1]}`
    else if (name === 'accept-encoding') requestHeaders.acceptEncoding ??= raw[i + 1]
    else if (name === 'if-none-match') requestHeaders.ifNoneMatch ??= raw[i + 1]
  }
  return requestHeaders
}
