import type { APIContext, AstroCookies, MiddlewareHandler } from 'astro'
import { sessionCookieName } from '#features/auth/auth.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { beginSession, type SignInOptions } from './begin-session.server.ts'
import { describeDevice } from './device-name.ts'
import { findLeavingAccount } from './leaving-session.server.ts'
import { endSession, isSessionOpen, toSessionId } from './sessions.server.ts'
import { findUserByToken } from './session-user.server.ts'
import type { Account } from '#features/auth/users.server.ts'
import { ensureProfile } from '#features/profiles/profiles.server.ts'
import { TEMPLATE_MEMBER } from '#lib/member-slots.ts'
import { SESSION_HEADER } from '#lib/offline.ts'
import { mailAlerts } from '#features/auth/new-device/mail-alerts.http.ts'
import { findDeviceSecret, setDeviceCookie } from './known-device.http.ts'
import { isHttpsSite } from '#server/env.ts'

/** Sets the session cookie: HttpOnly, so that no script can read it. `expiresAt` in milliseconds. */
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

/** The request's session token; undefined without one. */
export const sessionToken = (cookies: AstroCookies): string | undefined =>
  cookies.get(sessionCookieName(isHttpsSite()))?.value

/** An opened session: its user and end, ms. For an account that waits for its deletion there is no user, but when it is due. */
export interface OpenedSession {
  user: CurrentUser | null
  expiresAt: number
  deletion_due_at?: number
}

/**
 * Opens a session of `account` on this browser, and notifies the member where the device is new. The token is always new and the browser's
 * earlier session ends, which prevents session fixation.
 * @returns the signed-in user and the session's end, ms
 */
export async function openSession(
  context: Pick<APIContext, 'cookies' | 'locals' | 'request'>,
  account: Account,
  options: SignInOptions,
): Promise<OpenedSession> {
  const previousToken = sessionToken(context.cookies)
  if (previousToken) await endSession(context.locals.db, previousToken)
  const { db } = context.locals
  const { authenticatedAt = Date.now(), provedBy = null } = options
  const device = {
    secret: findDeviceSecret(context),
    name: describeDevice(context.request.headers.get('user-agent')),
  }
  const proof = { authenticatedAt, provedBy }
  const { token, expiresAt, isAlertDue } = await beginSession(db, account, device, { ...options, ...proof })
  setSessionCookie(context.cookies, token, expiresAt)
  setDeviceCookie(context, device.secret)
  if (isAlertDue) await mailAlerts(db, account.id)
  const leaving = await findLeavingAccount(db, toSessionId(token))
  if (leaving) {
    clearLocals(context.locals)
    context.locals.leaving = leaving
    return { user: null, expiresAt, deletion_due_at: leaving.dueAt }
  }
  const profile = await ensureProfile(db, account.id)
  const user = { id: account.id, email: account.email, ...profile }
  context.locals.user = user
  context.locals.sessionId = toSessionId(token)
  context.locals.expiresAt = expiresAt
  context.locals.authenticatedAt = authenticatedAt
  context.locals.provedBy = provedBy
  return { user, expiresAt }
}

/** Ends this browser's session, if it has one. */
export async function closeSession(context: Pick<APIContext, 'cookies' | 'locals'>): Promise<void> {
  const token = sessionToken(context.cookies)
  if (token) await endSession(context.locals.db, token)
  clearSession(context)
}

/** Removes an already ended session from the browser and the request. */
export function clearSession(context: Pick<APIContext, 'cookies' | 'locals'>): void {
  clearSessionCookie(context.cookies)
  clearLocals(context.locals)
}

function clearLocals(locals: App.Locals): void {
  locals.user = null
  locals.leaving = null
  locals.sessionId = ''
  locals.expiresAt = null
  locals.authenticatedAt = 0
  locals.provedBy = null
}

/** Middleware that fills `locals.user`; creates the profile on a member's first load (docs/product.md §9.4). */
export const findUser: MiddlewareHandler = async (context, next) => {
  const { locals, cookies } = context
  clearLocals(locals)
  locals.hasDeadSession = false
  if (context.isPrerendered) return next()
  if (locals.memberTemplate) {
    // Nobody: what depends on the reader is filled in when the page is sent.
    locals.user = TEMPLATE_MEMBER
    return markAsMembers(await next())
  }
  const token = sessionToken(cookies)
  if (token) {
    const found = await findUserByToken(context.locals.db, token)
    if (found) {
      const profile = found.profile ?? (await ensureProfile(context.locals.db, found.id))
      locals.user = { id: found.id, email: found.email, ...profile }
      const sessionId = toSessionId(token)
      locals.sessionId = sessionId
      locals.isSessionOpen = () => isSessionOpen(locals.db, sessionId)
      locals.expiresAt = found.expiresAt
      locals.authenticatedAt = found.authenticatedAt
      locals.provedBy = found.provedBy
      if (found.fresh) setSessionCookie(cookies, token, found.expiresAt)
    } else {
      locals.hasDeadSession = true
      locals.leaving = await findLeavingAccount(locals.db, toSessionId(token))
      if (!locals.leaving) clearSessionCookie(cookies)
    }
  }
  const response = await next()
  // The service worker caches only responses rendered without a session.
  if (locals.user || locals.leaving) return markAsMembers(response)
  response.headers.set(SESSION_HEADER, 'none')
  return response
}

/** The service worker stores no such page. */
function markAsMembers(response: Response): Response {
  response.headers.set(SESSION_HEADER, 'member')
  return response
}
