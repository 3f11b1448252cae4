import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { deleteNotices } from './notice.server.ts'

/** Notices that one transaction deletes: each has a photo of some hundred kB, which is overwritten. */
const NOTICES_PER_BATCH = 10

/** Deletes notices whose time is over, with their photos, matches, answers and conversations. @returns rows deleted */
export async function deleteExpiredNotices(db: Db, now: number): Promise<number> {
  for (let deleted = 0; ;) {
    const count = await transact(db, async (trx) => {
      const rows = await trx
        .selectFrom('found_notices')
        .select('id')
        .where('expires_at', '<=', now)
        .limit(NOTICES_PER_BATCH)
        .execute()
      return deleteNotices(
        trx,
        rows.map(({ id }) => id),
      )
    })
    deleted += count
    if (count < NOTICES_PER_BATCH) return deleted
    await nextTurn()
  }
}
