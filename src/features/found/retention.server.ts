import { runInBatches } from '#db/batches.ts'
import type { Db } from '#db/client.ts'
import { deleteNotices } from './notice.server.ts'

/** Notices that one transaction deletes: each has a photo of some hundred kB, which is overwritten. */
const NOTICES_PER_BATCH = 10

/** Deletes notices whose time is over, with their photos, matches, answers and conversations. @returns rows deleted */
export const deleteExpiredNotices = (db: Db, now: number): Promise<number> =>
  runInBatches(db, NOTICES_PER_BATCH, async (trx, limit) => {
    const expired = trx.selectFrom('found_notices_all').select('id').where('expires_at', '<=', now).limit(limit)
    return deleteNotices(trx, await expired.execute())
  })
