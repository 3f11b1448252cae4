import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { deleteNotices } from './notice.server.ts'

/** Notices that one transaction deletes. */
const BATCH = 100

/** Deletes notices whose time is over, with their photos, matches, answers and conversations. @returns rows deleted */
export async function deleteExpiredNotices(db: Db, now: number): Promise<number> {
  for (let deleted = 0; ;) {
    const count = await transact(db, async (trx) => {
      const rows = await trx
        .selectFrom('found_notices')
        .select('id')
        .where('expires_at', '<=', now)
        .limit(BATCH)
        .execute()
      return deleteNotices(
        trx,
        rows.map(({ id }) => id),
      )
    })
    deleted += count
    if (count < BATCH) return deleted
  }
}
