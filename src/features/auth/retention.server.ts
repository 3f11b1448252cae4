import type { Db } from '#db/client.ts'
import { MAX_SESSION_DAYS } from './auth.ts'
import { deleteExpiredDevices } from './sessions/known-devices.server.ts'
import { deleteExpiredTokens } from './sign-in/sign-in-tokens.server.ts'

/**
 * Sign-in tokens that died a day ago, devices that nobody signed in with for long, and sessions that are over; their devices'
 * notices go with them. @returns rows gone
 */
export async function deleteExpiredAuth(db: Db, now: number): Promise<number> {
  const tokens = await deleteExpiredTokens(db, now)
  const devices = await deleteExpiredDevices(db, now)
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where((eb) =>
      eb.or([
        eb('expires_at', '<=', Math.floor(now / 1000)),
        eb('created_at', '<=', now - MAX_SESSION_DAYS * 86_400_000),
      ]),
    )
    .executeTakeFirstOrThrow()
  return tokens + devices + Number(numDeletedRows)
}
