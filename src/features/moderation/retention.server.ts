import type { Db } from '#db/client.ts'
import { deleteExpiredBanDigests } from './ban-digests.server.ts'

/** Bans that are over, and what is kept of those whose account is gone: that there was one stays in the log. @returns rows gone */
export async function deleteExpiredBans(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('bans').where('until', '<=', now).executeTakeFirstOrThrow()
  return Number(numDeletedRows) + (await deleteExpiredBanDigests(db, now))
}
