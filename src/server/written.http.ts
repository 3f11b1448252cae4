import type { MiddlewareHandler } from 'astro'
import { recordPosition } from '#db/positions.ts'
import { COUNTS_LAG_FACTOR, WRITTEN_COOKIE, WRITTEN_HEADER } from '#lib/http/written.ts'
import { SECOND_MS } from '#lib/time.ts'
import { getEnv, isHttpsSite } from './env.ts'

/** After this long every page has the change. */
const cookieMaxAgeSeconds = (): number => COUNTS_LAG_FACTOR * Math.max(1, getEnv().pageCachePollMs / SECOND_MS)

/** Tells who has written something which change their next pages must have (db/positions.ts): in a cookie, and in a header for programs. */
export const sendWritten: MiddlewareHandler = async ({ cookies, isPrerendered, request }, next) => {
  if (isPrerendered || request.method === 'GET' || request.method === 'HEAD') return next()
  const { value: response, position } = await recordPosition(next)
  if (position === 0) return response
  cookies.set(WRITTEN_COOKIE, String(position), {
    path: '/',
    maxAge: cookieMaxAgeSeconds(),
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttpsSite(),
  })
  response.headers.set(WRITTEN_HEADER, String(position))
  return response
}
