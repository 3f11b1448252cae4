import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { MAX_SESSION_DAYS } from './auth.ts'
import { deleteExpiredChanges } from './email-change/email-change.server.ts'
import { deleteExpiredChallenges } from './passkeys/challenges.server.ts'
import { deleteExpiredAccountDevices } from './new-device/account-devices.server.ts'
import { deleteExpiredAlerts } from './new-device/sign-in-alerts.server.ts'
import { deleteExpiredSecurityLog } from './security-log/security-log.server.ts'
import { deleteExpiredDevices } from './sessions/known-devices.server.ts'
import { deleteExpiredTokens } from './sign-in/sign-in-tokens.server.ts'
import { DAY_MS } from '#lib/time.ts'

/**
 * Deletes sign-in tokens a day after they expired, known devices whose cookie has expired, unanswered challenges, changes of an address
 * that can no longer be undone, devices and alerts of sign-ins, old entries of security logs, and expired sessions with their push
 * subscriptions.
 * @returns rows deleted
 */
export async function deleteExpiredAuth(db: Db, now: number): Promise<number> {
  let deleted = await transact(db, (trx) => deleteExpiredTokens(trx, now))
  for (const deleteExpired of [
    deleteExpiredDevices,
    deleteExpiredChallenges,
    deleteExpiredChanges,
    deleteExpiredAccountDevices,
    deleteExpiredAlerts,
    deleteExpiredSecurityLog,
  ])
    deleted += await deleteExpired(db, now)
  const { numDeletedRows } = await transact(db, (trx) =>
    trx
      .deleteFrom('sessions')
      .where((eb) =>
        eb.or([
          eb('expires_at', '<=', Math.floor(now / 1000)),
          eb('created_at', '<=', now - MAX_SESSION_DAYS * DAY_MS),
        ]),
      )
      .executeTakeFirstOrThrow(),
  )
  return deleted + Number(numDeletedRows)
}
