import type { MiddlewareHandler } from 'astro'
import { recordPosition } from '#db/positions.ts'
import { isHttpsSite } from './env.ts'
import { WRITTEN_COOKIE, WRITTEN_HEADER } from '#lib/http/written.ts'

/** Other pages lag behind by less: after this long every page has the change. */
const COOKIE_MAX_AGE_SECONDS = 30

/** Tells who has written something which change their next pages must have (db/positions.ts): in a cookie, and in a header for programs. */
export const sendWritten: MiddlewareHandler = async ({ cookies, isPrerendered, request }, next) => {
  if (isPrerendered || request.method === 'GET' || request.method === 'HEAD') return next()
  const { value: response, position } = await recordPosition(next)
  if (position === 0) return response
  cookies.set(WRITTEN_COOKIE, String(position), {
    path: '/',
    maxAge: COOKIE_MAX_AGE_SECONDS,
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttpsSite(),
  })
  response.headers.set(WRITTEN_HEADER, String(position))
  return response
}
