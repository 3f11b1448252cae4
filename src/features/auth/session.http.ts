import type { APIContext, AstroCookies, MiddlewareHandler } from 'astro'
import { sessionCookie } from './auth.ts'
import type { CurrentUser } from '#lib/current-user.ts'
import { deviceName } from './device.ts'
import { createSession, endSession, sessionIdOf } from './lucia.server.ts'
import { userOfToken } from './user.server.ts'
import { lastEventId } from '#features/live/live.server.ts'
import type { Account } from './users.server.ts'
import { ensureProfile } from '#features/profiles/profiles.server.ts'
import { SESSION_HEADER } from '#lib/offline.ts'
import { nameDevice } from './device.http.ts'
import { isSecure } from '#server/secure.ts'

export { isSecure }

/** Hands the browser its session: HttpOnly, so that no script of any page can read it. */
export function setSessionCookie(cookies: AstroCookies, token: string, expiresAt: number): void {
  const secure = isSecure()
  cookies.set(sessionCookie(secure), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: Math.max(0, Math.ceil((expiresAt - Date.now()) / 1000)),
  })
}

export function clearSessionCookie(cookies: AstroCookies): void {
  const secure = isSecure()
  cookies.delete(sessionCookie(secure), { path: '/', secure, httpOnly: true, sameSite: 'lax' })
}

/** The token the browser sent, or undefined. */
export const sessionToken = (cookies: AstroCookies): string | undefined => cookies.get(sessionCookie(isSecure()))?.value

/**
 * Signs `account` in on this browser and says who it now is. The token is always new and a session that was open
 * before ends, so that one planted beforehand leads nowhere.
 */
export async function openSession(
  context: Pick<APIContext, 'cookies' | 'locals' | 'request'>,
  account: Account,
  seconds?: number,
): Promise<{ user: CurrentUser; expiresAt: number }> {
  const before = sessionToken(context.cookies)
  if (before) await endSession(context.locals.db, before)
  const device = deviceName(context.request.headers.get('user-agent'))
  const { token, expiresAt } = await createSession(context.locals.db, account.id, seconds, device)
  const profile = await ensureProfile(context.locals.db, account.id)
  setSessionCookie(context.cookies, token, expiresAt)
  await nameDevice(context, account)
  const user = { id: account.id, email: account.email, ...profile }
  context.locals.user = user
  context.locals.sessionId = sessionIdOf(token)
  context.locals.expiresAt = expiresAt
  context.locals.provedAt = Date.now()
  return { user, expiresAt }
}

/** Ends the session of this browser, if there is one. */
export async function closeSession(context: Pick<APIContext, 'cookies' | 'locals'>): Promise<void> {
  const token = sessionToken(context.cookies)
  if (token) await endSession(context.locals.db, token)
  forgetSession(context)
}

/** The browser forgets a session that has ended already. */
export function forgetSession(context: Pick<APIContext, 'cookies' | 'locals'>): void {
  clearSessionCookie(context.cookies)
  context.locals.user = null
  context.locals.sessionId = ''
  context.locals.expiresAt = null
  context.locals.provedAt = 0
}

/** Fills `locals.user`; makes the profile on a member's first load (docs/product.md §9.4). */
export const findUser: MiddlewareHandler = async (context, next) => {
  const { locals, cookies } = context
  locals.user = null
  locals.sessionId = ''
  locals.expiresAt = null
  locals.provedAt = 0
  if (context.isPrerendered) return next()
  locals.ip ??= context.clientAddress
  const token = sessionToken(cookies)
  if (token) {
    const found = await userOfToken(context.locals.db, token)
    if (found) {
      const profile = found.profile ?? (await ensureProfile(context.locals.db, found.id))
      locals.user = { id: found.id, email: found.email, ...profile }
      locals.sessionId = sessionIdOf(token)
      locals.expiresAt = found.expiresAt
      locals.provedAt = found.provedAt
      if (found.fresh) setSessionCookie(cookies, token, found.expiresAt)
      // Before the page reads anything: what happens from here on reaches it live, so nothing falls in between.
      if (!context.url.pathname.startsWith('/api/')) locals.live = await lastEventId(context.locals.db)
    } else clearSessionCookie(cookies)
  }
  const response = await next()
  // The service worker keeps only what was made without a session.
  response.headers.set(SESSION_HEADER, locals.user ? 'member' : 'none')
  return response
}
