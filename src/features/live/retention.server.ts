import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { DAY_MS } from '#lib/time.ts'

/** A page that was away for longer loads its data again. */
const EVENT_RETENTION_MS = 7 * DAY_MS

/**
 * Deletes events after a week, since they say who did what and when. The newest stays, so that ids go on.
 * @returns rows deleted
 */
export async function deleteExpiredEvents(db: Db, now: number): Promise<number> {
  const newest = await db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  if (!newest) return 0
  const { numDeletedRows } = await transact(db, (trx) =>
    trx
      .deleteFrom('events')
      .where('created_at', '<=', now - EVENT_RETENTION_MS)
      .where('id', '<', newest.id)
      .executeTakeFirstOrThrow(),
  )
  return Number(numDeletedRows)
}
