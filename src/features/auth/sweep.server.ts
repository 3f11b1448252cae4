import type { Db } from '#db/client.ts'
import { forgetTokens } from './tokens.server.ts'

/** Sign-in tokens that died a day ago, and sessions that are over; their devices' notices go with them. @returns rows gone */
export async function sweep(db: Db, now: number): Promise<number> {
  const tokens = await forgetTokens(db, now)
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('expires_at', '<=', Math.floor(now / 1000))
    .executeTakeFirstOrThrow()
  return tokens + Number(numDeletedRows)
}
