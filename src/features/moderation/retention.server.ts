import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { deleteExpiredAdminLog } from './admin-log.server.ts'
import { deleteExpiredBanDigests } from './ban-digests.server.ts'

/** Deletes expired bans and ban digests, which the decision log still names, and old entries of the admins' log. @returns rows deleted */
export async function deleteExpiredModeration(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await transact(db, (trx) =>
    trx.deleteFrom('bans').where('until', '<=', now).executeTakeFirstOrThrow(),
  )
  const digests = await deleteExpiredBanDigests(db, now)
  return Number(numDeletedRows) + digests + (await deleteExpiredAdminLog(db, now))
}
