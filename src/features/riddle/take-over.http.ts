import type { MiddlewareHandler } from 'astro'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { isHttpsSite } from '#server/env.ts'
import { riddleCookieName } from './riddle-cookie.ts'
import { takeOverGames } from './take-over.server.ts'

/**
 * Middleware: a request that has opened a session, by whichever way, stores the games of this device with the account, and removes the cookie,
 * so that no other account of the device gets them. The sign-in has happened by then: where the games cannot be stored, the cookie stays
 * for the next one.
 */
export const takeOverRiddles: MiddlewareHandler = async ({ cookies, isPrerendered, locals }, next) => {
  if (isPrerendered) return next()
  const { sessionId } = locals
  const response = await next()
  if (!locals.user || locals.sessionId === sessionId) return response
  const secure = isHttpsSite()
  const name = riddleCookieName(secure)
  const cookie = cookies.get(name)?.value
  if (cookie === undefined) return response
  try {
    await takeOverGames(locals.db, await getCatalogue(locals.db), cookie, locals.user.id)
    cookies.delete(name, { path: '/', secure, httpOnly: true, sameSite: 'lax' })
  } catch (error) {
    console.error('perrario · los retos de un visitante no se pudieron guardar con su cuenta:', error)
  }
  return response
}
