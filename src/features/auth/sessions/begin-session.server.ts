import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { type Device, recordDevice } from '#features/auth/new-device/devices.server.ts'
import { raiseAlert } from '#features/auth/new-device/sign-in-alerts.server.ts'
import type { SignInMethod } from '#features/auth/security-log/security-log.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import type { Account } from '#features/auth/users.server.ts'
import { HOUR_MS } from '#lib/time.ts'
import { createSession, type ProvedBy, type SessionLength } from './sessions.server.ts'

/** The age up to which an account's first sign-in is the one that opened it. */
const NEW_ACCOUNT_MS = HOUR_MS

export interface SignInOptions {
  method: SignInMethod
  /** Of the session, other than the usual one. */
  length?: SessionLength
  /** Time of the member's authentication, ms; 0 for a sign-in that does not count as one. Now, unless it says otherwise. */
  authenticatedAt?: number
  /** How they authenticated. */
  provedBy?: ProvedBy
}

/**
 * Opens a session of the account on a device, records the sign-in, and notifies the member of a new device, but for the sign-in that opened
 * the account.
 * @returns the token for the cookie, the session's end, ms, and whether its member is to be notified that the device is new
 */
export const beginSession = (
  db: Db,
  account: Account,
  device: Device,
  { method, length, authenticatedAt = Date.now(), provedBy = null }: SignInOptions,
): Promise<{ token: string; expiresAt: number; isAlertDue: boolean }> =>
  transact(db, async (trx) => {
    const { id } = account
    const session = await createSession(trx, id, length, device.name, authenticatedAt, provedBy)
    const now = Date.now()
    const isFirst = await isFirstSignIn(trx, id, now)
    const isAlertDue = !(await recordDevice(trx, account, device, now)) && !isFirst
    await logSecurityEvent(trx, id, 'sign-in', { detail: method, device: device.name }, now)
    if (isAlertDue) {
      await logSecurityEvent(trx, id, 'new-device', { device: device.name }, now)
      const alert = { event: 'new-device', detail: device.name, sessionId: session.publicId } as const
      await raiseAlert(trx, id, alert, now)
    }
    return { ...session, isAlertDue }
  })

/** The log alone would not do: its entries of old accounts are gone after a year, and accounts from before it have none. */
async function isFirstSignIn(trx: Trx, userId: string, now: number): Promise<boolean> {
  const user = trx.selectFrom('users').select('created_at').where('id', '=', userId)
  const { created_at } = await user.executeTakeFirstOrThrow()
  if (created_at < now - NEW_ACCOUNT_MS) return false
  const signIns = trx.selectFrom('security_log').where('user_id', '=', userId).where('event', '=', 'sign-in')
  return (await signIns.select('id').limit(1).executeTakeFirst()) === undefined
}
