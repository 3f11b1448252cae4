import type { APIContext, AstroCookies, MiddlewareHandler } from 'astro'
import { sessionCookieName } from '#features/auth/auth.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { describeDevice } from './device-name.ts'
import { createSession, endSession, toSessionId } from './sessions.server.ts'
import { findUserByToken } from './session-user.server.ts'
import { lastEventId } from '#features/live/live.server.ts'
import type { Account } from '#features/auth/users.server.ts'
import { ensureProfile } from '#features/profiles/profiles.server.ts'
import { SESSION_HEADER } from '#lib/offline.ts'
import { registerDevice } from './known-device.http.ts'
import { isHttpsSite } from '#server/security/https-site.ts'

export { isHttpsSite as isSecure }

/** Hands the browser its session: HttpOnly, so that no script of any page can read it. */
export function setSessionCookie(cookies: AstroCookies, token: string, expiresAt: number): void {
  const secure = isHttpsSite()
  cookies.set(sessionCookieName(secure), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: Math.max(0, Math.ceil((expiresAt - Date.now()) / 1000)),
  })
}

export function clearSessionCookie(cookies: AstroCookies): void {
  const secure = isHttpsSite()
  cookies.delete(sessionCookieName(secure), { path: '/', secure, httpOnly: true, sameSite: 'lax' })
}

/** The token the browser sent, or undefined. */
export const sessionToken = (cookies: AstroCookies): string | undefined =>
  cookies.get(sessionCookieName(isHttpsSite()))?.value

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
  const device = describeDevice(context.request.headers.get('user-agent'))
  const { token, expiresAt } = await createSession(context.locals.db, account.id, seconds, device)
  const profile = await ensureProfile(context.locals.db, account.id)
  setSessionCookie(context.cookies, token, expiresAt)
  await registerDevice(context, account)
  const user = { id: account.id, email: account.email, ...profile }
  context.locals.user = user
  context.locals.sessionId = toSessionId(token)
  context.locals.expiresAt = expiresAt
  context.locals.provedAt = Date.now()
  return { user, expiresAt }
}

/** Ends the session of this browser, if there is one. */
export async function closeSession(context: Pick<APIContext, 'cookies' | 'locals'>): Promise<void> {
  const token = sessionToken(context.cookies)
  if (token) await endSession(context.locals.db, token)
  clearSession(context)
}

/** The browser forgets a session that has ended already. */
export function clearSession(context: Pick<APIContext, 'cookies' | 'locals'>): void {
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
    const found = await findUserByToken(context.locals.db, token)
    if (found) {
      const profile = found.profile ?? (await ensureProfile(context.locals.db, found.id))
      locals.user = { id: found.id, email: found.email, ...profile }
      locals.sessionId = toSessionId(token)
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
