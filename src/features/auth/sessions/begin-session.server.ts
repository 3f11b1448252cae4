import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import type { Device } from '#features/auth/new-device/account-devices.server.ts'
import { recordSignIn } from '#features/auth/new-device/record-sign-in.server.ts'
import type { SignInMethod } from '#features/auth/security-log/security-log.ts'
import type { Account } from '#features/auth/users.server.ts'
import { createSession, type ProvedBy, type SessionLength } from './sessions.server.ts'

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
 * Opens a session of the account on a device, and records the sign-in.
 * @returns the token for the cookie, the session's end, ms, and whether its member is to be notified that the device is new
 */
export const beginSession = (
  db: Db,
  account: Account,
  device: Device,
  { method, length, authenticatedAt = Date.now(), provedBy = null }: SignInOptions,
): Promise<{ token: string; expiresAt: number; isAlertDue: boolean }> =>
  transact(db, async (trx) => {
    const session = await createSession(trx, account.id, length, device.name, authenticatedAt, provedBy)
    const isAlertDue = await recordSignIn(trx, { account, method, device, sessionId: session.publicId }, Date.now())
    return { ...session, isAlertDue }
  })
