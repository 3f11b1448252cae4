import type { Db } from '#db/client.ts'
import { deleteExpiredBanDigests } from './ban-digests.server.ts'

/** Deletes expired bans and ban digests. The decision log still names the ban. @returns rows deleted */
export async function deleteExpiredBans(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('bans').where('until', '<=', now).executeTakeFirstOrThrow()
  return Number(numDeletedRows) + (await deleteExpiredBanDigests(db, now))
}
