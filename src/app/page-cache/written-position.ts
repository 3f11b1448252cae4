import type { IncomingMessage } from 'node:http'
import { isPosition } from '#db/dialect/postgres/snapshots.ts'
import type { ChangeFeed } from './change-feed.ts'

// Who writes sees it at their next request, whichever node answers: the answer to a write carries the position in the change log that
// a node must have read. Only sites on PostgreSQL send it.

/** The cookie that browsers send back. */
export const WRITTEN_COOKIE = 'perrario-written'
/** The header of the answer to a write, which programs without cookies send back. */
export const WRITTEN_HEADER = 'Perrario-Written'

/** Nodes read the log once a second: after this long all have. */
const COOKIE_MAX_AGE_SECONDS = 30

const COOKIE_VALUE = new RegExp(`(?:^|; ?)${WRITTEN_COOKIE}=([^;]*)`)

/** Its attributes. */
export const writtenCookieOptions = (isHttps: boolean) => ({
  path: '/',
  maxAge: COOKIE_MAX_AGE_SECONDS,
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: isHttps,
})

/** The cookie as a Set-Cookie header, for answers that are sent without Astro. */
export function writtenCookie(position: string, isHttps: boolean): string {
  const { path, maxAge } = writtenCookieOptions(isHttps)
  return `${WRITTEN_COOKIE}=${position}; Max-Age=${maxAge}; Path=${path}; HttpOnly;${isHttps ? ' Secure;' : ''} SameSite=Lax`
}

/**
 * Reads a write that is done, so that this node shows it, and wakes the other nodes.
 * @param before the position before it
 * @returns the position to send with its answer; undefined where nothing was written
 */
export async function shareWrite(changes: ChangeFeed, before: string): Promise<string | undefined> {
  // The write is done: its answer must not fail because PostgreSQL became unavailable after it.
  const position = await changes.readWrite().catch(() => before)
  changes.announce()
  return position === before ? undefined : position
}

/**
 * The position that a request carries; undefined without one, or where it is no position. Reads the raw headers: Node builds
 * `req.headers` lazily, which takes as long as the rest of a cached answer.
 */
export function readWrittenPosition({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length !== WRITTEN_HEADER.length && name.length !== 'cookie'.length) continue
    const given = readValue(name.toLowerCase(), rawHeaders[i + 1] ?? '')
    if (given !== undefined && isPosition(given)) return given
  }
  return undefined
}

function readValue(name: string, value: string): string | undefined {
  if (name === 'cookie') return COOKIE_VALUE.exec(value)?.[1]
  return name === WRITTEN_HEADER.toLowerCase() ? value : undefined
}
