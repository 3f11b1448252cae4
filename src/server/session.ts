import type { AstroCookies, MiddlewareHandler } from 'astro'
import { SESSION_DAYS, sessionCookie } from '#features/auth/auth.ts'
import { userOfToken } from '#features/auth/user.server.ts'
import { ensureProfile } from '#features/profiles/profiles.server.ts'
import { getDb } from './db.ts'
import { getEnv } from './env.ts'

const isSecure = () => getEnv().siteUrl?.startsWith('https:') ?? false

/** Hands the browser its session: HttpOnly, so that no script of any page can read it. */
export function setSessionCookie(cookies: AstroCookies, token: string): void {
  const secure = isSecure()
  cookies.set(sessionCookie(secure), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: SESSION_DAYS * 86_400,
  })
}

export function clearSessionCookie(cookies: AstroCookies): void {
  const secure = isSecure()
  cookies.delete(sessionCookie(secure), { path: '/', secure, httpOnly: true, sameSite: 'lax' })
}

/** The token the browser sent, or undefined. */
export const sessionToken = (cookies: AstroCookies): string | undefined => cookies.get(sessionCookie(isSecure()))?.value

/** Fills `locals.user`; makes the profile on a member's first load (spec.md §4). */
export const findUser: MiddlewareHandler = async (context, next) => {
  const { locals, cookies } = context
  locals.user = null
  locals.expiresAt = null
  if (context.isPrerendered) return next()
  locals.ip ??= context.clientAddress
  const token = sessionToken(cookies)
  if (token) {
    const found = await userOfToken(getDb(), token)
    if (found) {
      const profile = found.profile ?? (await ensureProfile(getDb(), found.id))
      locals.user = { id: found.id, email: found.email, ...profile }
      locals.expiresAt = found.expiresAt
      if (found.fresh) setSessionCookie(cookies, token)
    } else clearSessionCookie(cookies)
  }
  return next()
}
