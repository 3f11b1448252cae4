import { randomBytes } from 'node:crypto'
import type { APIContext, AstroCookies, MiddlewareHandler } from 'astro'
import { deviceCookieName, KNOWN_DEVICE_DAYS, sessionCookieName } from '#features/auth/auth.ts'
import type { CurrentUser } from '#lib/auth/current-user.ts'
import { beginSession, type SignInOptions } from './begin-session.server.ts'
import { describeDevice } from './device-name.ts'
import { endSession, findLeavingAccount, isSessionOpen, readSession, toSessionId } from './sessions.server.ts'
import type { Account } from '#features/auth/users.server.ts'
import { ensureProfile } from '#features/profiles/profiles.server.ts'
import { TEMPLATE_MEMBER } from '#lib/member-slots.ts'
import { SESSION_HEADER } from '#lib/offline.ts'
import { mailAlerts } from '#features/auth/new-device/mail-alerts.http.ts'
import { findKnownDevice } from '#features/auth/new-device/devices.server.ts'
import { DAY_SECONDS } from '#lib/time.ts'
import { isHttpsSite } from '#server/env.ts'

type Context = Pick<APIContext, 'cookies' | 'locals'>

/** No script can read the cookies of sessions and devices. */
const cookieOptions = () => ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttpsSite() }) as const

/** `expiresAt` in milliseconds. */
function setSessionCookie(cookies: AstroCookies, token: string, expiresAt: number): void {
  const maxAge = Math.max(0, Math.ceil((expiresAt - Date.now()) / 1000))
  cookies.set(sessionCookieName(isHttpsSite()), token, { ...cookieOptions(), maxAge })
}

const clearSessionCookie = (cookies: AstroCookies): void =>
  cookies.delete(sessionCookieName(isHttpsSite()), cookieOptions())

/** The request's session token; undefined without one. */
export const sessionToken = (cookies: AstroCookies): string | undefined =>
  cookies.get(sessionCookieName(isHttpsSite()))?.value

/** The secret of the device's cookie. */
function readDeviceSecret(cookies: AstroCookies): string | undefined {
  const value = cookies.get(deviceCookieName(isHttpsSite()))?.value
  return value && /^[\w-]{32}$/.test(value) ? value : undefined
}

/** The id by which rate limits count a device that signed in to `email` before or is signed in to it now; null for any other. */
export async function identifyDevice({ cookies, locals }: Context, email: string): Promise<string | null> {
  const known = await findKnownDevice(locals.db, readDeviceSecret(cookies), email)
  const token = sessionToken(cookies)
  return known ?? (token && locals.user?.email === email ? toSessionId(token) : null)
}

/** An opened session: its user and end, ms. For an account that waits for its deletion there is no user, but when it is due. */
interface OpenedSession {
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
    secret: readDeviceSecret(context.cookies) ?? randomBytes(24).toString('base64url'),
    name: describeDevice(context.request.headers.get('user-agent')),
  }
  const proof = { authenticatedAt, provedBy }
  const { token, expiresAt, isAlertDue } = await beginSession(db, account, device, { ...options, ...proof })
  setSessionCookie(context.cookies, token, expiresAt)
  // For as long as browsers allow.
  const maxAge = KNOWN_DEVICE_DAYS * DAY_SECONDS
  context.cookies.set(deviceCookieName(isHttpsSite()), device.secret, { ...cookieOptions(), maxAge })
  if (isAlertDue) await mailAlerts(db, account.id)
  const leaving = await findLeavingAccount(db, toSessionId(token))
  if (leaving) {
    setLocals(context.locals, { leaving })
    return { user: null, expiresAt, deletion_due_at: leaving.dueAt }
  }
  const profile = await ensureProfile(db, account.id)
  const user = { id: account.id, email: account.email, ...profile }
  setLocals(context.locals, { user, sessionId: toSessionId(token), expiresAt, ...proof })
  return { user, expiresAt }
}

/** Ends this browser's session, if it has one. */
export async function closeSession(context: Context): Promise<void> {
  const token = sessionToken(context.cookies)
  if (token) await endSession(context.locals.db, token)
  clearSession(context)
}

/** Removes an already ended session from the browser and the request. */
export function clearSession(context: Context): void {
  clearSessionCookie(context.cookies)
  setLocals(context.locals)
}

const NOBODY = { user: null, leaving: null, sessionId: '', expiresAt: null, authenticatedAt: 0, provedBy: null }
const setLocals = (locals: App.Locals, known: Partial<App.Locals> = {}): App.Locals =>
  Object.assign(locals, NOBODY, known)

/** Middleware that fills `locals.user`; creates the profile on a member's first load (docs/product.md §9.4). */
export const findUser: MiddlewareHandler = async (context, next) => {
  const { locals, cookies } = context
  setLocals(locals, { hasDeadSession: false })
  if (context.isPrerendered) return next()
  if (locals.frameTexts) {
    // Nobody: what depends on the reader is filled in when the page is sent.
    locals.user = TEMPLATE_MEMBER
    return markAsMembers(await next())
  }
  const token = sessionToken(cookies)
  if (token) {
    const found = await readSession(locals.db, token)
    if (found) {
      const { userId: id, email, expiresAt, authenticatedAt, provedBy } = found
      const user = { id, email, ...(found.profile ?? (await ensureProfile(locals.db, id))) }
      const sessionId = toSessionId(token)
      setLocals(locals, { user, sessionId, expiresAt, authenticatedAt, provedBy })
      locals.isSessionOpen = () => isSessionOpen(locals.db, sessionId)
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
