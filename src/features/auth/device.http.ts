import { randomBytes } from 'node:crypto'
import type { APIContext } from 'astro'
import { DEVICE_DAYS, deviceCookie, sessionCookie } from './auth.ts'
import { sessionIdOf } from './lucia.server.ts'
import { knownDevice, rememberDevice } from './known-devices.server.ts'
import type { Account } from './users.server.ts'
import { isSecure } from '#server/secure.ts'

type Context = Pick<APIContext, 'cookies' | 'locals'>

/** What our cookie of a device looks like. */
const SECRET = /^[\w-]{32}$/

function secretOf({ cookies }: Pick<APIContext, 'cookies'>): string | undefined {
  const value = cookies.get(deviceCookie(isSecure()))?.value
  return value && SECRET.test(value) ? value : undefined
}

/**
 * By what name limits count a device that has signed in to `email` before, or is signed in to it now; null for any other.
 */
export async function deviceFor(context: Context, email: string): Promise<string | null> {
  const known = await knownDevice(context.locals.db, secretOf(context), email)
  if (known) return known
  const token = context.cookies.get(sessionCookie(isSecure()))?.value
  return token && context.locals.user?.email === email ? sessionIdOf(token) : null
}

/** From now on this device is one that signed in to the account. */
export async function nameDevice(context: Context, account: Account): Promise<void> {
  if (account.email === null) return
  const secret = secretOf(context) ?? randomBytes(24).toString('base64url')
  await rememberDevice(context.locals.db, secret, account)
  const secure = isSecure()
  context.cookies.set(deviceCookie(secure), secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: DEVICE_DAYS * 86_400,
  })
}
