import { randomBytes } from 'node:crypto'
import type { APIContext } from 'astro'
import { KNOWN_DEVICE_DAYS, deviceCookieName, sessionCookieName } from '#features/auth/auth.ts'
import { toSessionId } from './sessions.server.ts'
import { findKnownDevice } from './known-devices.server.ts'
import { isHttpsSite } from '#server/env.ts'
import { DAY_SECONDS } from '#lib/time.ts'

type Context = Pick<APIContext, 'cookies' | 'locals'>

/** Format of the device cookie. */
const SECRET_PATTERN = /^[\w-]{32}$/

function readDeviceSecret({ cookies }: Pick<APIContext, 'cookies'>): string | undefined {
  const value = cookies.get(deviceCookieName(isHttpsSite()))?.value
  return value && SECRET_PATTERN.test(value) ? value : undefined
}

/** The id by which rate limits count a device that signed in to `email` before or is signed in to it now; null for any other. */
export async function identifyDevice(context: Context, email: string): Promise<string | null> {
  const known = await findKnownDevice(context.locals.db, readDeviceSecret(context), email)
  if (known) return known
  const token = context.cookies.get(sessionCookieName(isHttpsSite()))?.value
  return token && context.locals.user?.email === email ? toSessionId(token) : null
}

/** The secret of this device's cookie, or a new one. */
export const findDeviceSecret = (context: Pick<APIContext, 'cookies'>): string =>
  readDeviceSecret(context) ?? randomBytes(24).toString('base64url')

/** Sets the device's cookie, for as long as browsers allow. */
export function setDeviceCookie(context: Pick<APIContext, 'cookies'>, secret: string): void {
  const secure = isHttpsSite()
  context.cookies.set(deviceCookieName(secure), secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: KNOWN_DEVICE_DAYS * DAY_SECONDS,
  })
}
