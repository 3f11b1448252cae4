import type { Db } from '#db/client.ts'
import { SESSION_DAYS_MOST } from './auth.ts'
import { forgetDevices } from './known-devices.server.ts'
import { forgetTokens } from './tokens.server.ts'

/**
 * Sign-in tokens that died a day ago, devices that nobody signed in with for long, and sessions that are over; their devices'
 * notices go with them. @returns rows gone
 */
export async function sweep(db: Db, now: number): Promise<number> {
  const tokens = await forgetTokens(db, now)
  const devices = await forgetDevices(db, now)
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where((eb) =>
      eb.or([
        eb('expires_at', '<=', Math.floor(now / 1000)),
        eb('created_at', '<=', now - SESSION_DAYS_MOST * 86_400_000),
      ]),
    )
    .executeTakeFirstOrThrow()
  return tokens + devices + Number(numDeletedRows)
}
