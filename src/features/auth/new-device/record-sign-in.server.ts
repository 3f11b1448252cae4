import type { Trx } from '#db/client.ts'
import type { SignInMethod } from '#features/auth/security-log/security-log.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { saveKnownDevice } from '#features/auth/sessions/known-devices.server.ts'
import type { Account } from '#features/auth/users.server.ts'
import { HOUR_MS } from '#lib/time.ts'
import { type Device, recordAccountDevice } from './account-devices.server.ts'
import { raiseAlert } from './sign-in-alerts.server.ts'

/** The age up to which an account's first sign-in is the one that opened it. */
const NEW_ACCOUNT_MS = HOUR_MS

export interface SignIn {
  account: Account
  method: SignInMethod
  device: Device
  /** The session's public id. */
  sessionId: string
}

/**
 * Records a sign-in and its device, and notifies the member of a new one, but for the sign-in that opened the account. Call it in the
 * transaction that opens the session.
 * @returns whether the member is to be notified
 */
export async function recordSignIn(
  trx: Trx,
  { account, method, device, sessionId }: SignIn,
  now: number,
): Promise<boolean> {
  const isFirst = await isFirstSignIn(trx, account.id, now)
  const isKnown = await recordAccountDevice(trx, account, device, now)
  await saveKnownDevice(trx, device.secret, account, now)
  await logSecurityEvent(trx, account.id, 'sign-in', { detail: method, device: device.name }, now)
  if (isKnown || isFirst) return false
  await logSecurityEvent(trx, account.id, 'new-device', { device: device.name }, now)
  await raiseAlert(trx, account.id, { event: 'new-device', detail: device.name, sessionId }, now)
  return true
}

/** The log alone would not do: its entries of old accounts are gone after a year, and accounts from before it have none. */
async function isFirstSignIn(trx: Trx, userId: string, now: number): Promise<boolean> {
  const { created_at } = await trx
    .selectFrom('users')
    .select('created_at')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (created_at < now - NEW_ACCOUNT_MS) return false
  const earlier = await trx
    .selectFrom('security_log')
    .select('id')
    .where('user_id', '=', userId)
    .where('event', '=', 'sign-in')
    .limit(1)
    .executeTakeFirst()
  return earlier === undefined
}
