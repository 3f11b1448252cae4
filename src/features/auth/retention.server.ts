import type { Db } from '#db/client.ts'
import { MAX_SESSION_DAYS } from './auth.ts'
import { deleteExpiredChanges } from './email-change/email-change.server.ts'
import { deleteExpiredChallenges } from './passkeys/challenges.server.ts'
import { deleteExpiredDevices } from './sessions/known-devices.server.ts'
import { deleteExpiredTokens } from './sign-in/sign-in-tokens.server.ts'
import { DAY_MS } from '#lib/time.ts'

/**
 * Deletes sign-in tokens a day after they expired, known devices whose cookie has expired, unanswered challenges, changes of an address
 * that can no longer be undone, and expired sessions with their push subscriptions. @returns rows deleted
 */
export async function deleteExpiredAuth(db: Db, now: number): Promise<number> {
  const tokens = await deleteExpiredTokens(db, now)
  const devices = await deleteExpiredDevices(db, now)
  const challenges = await deleteExpiredChallenges(db, now)
  const changes = await deleteExpiredChanges(db, now)
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where((eb) =>
      eb.or([eb('expires_at', '<=', Math.floor(now / 1000)), eb('created_at', '<=', now - MAX_SESSION_DAYS * DAY_MS)]),
    )
    .executeTakeFirstOrThrow()
  return tokens + devices + challenges + changes + Number(numDeletedRows)
}
