import { sql } from 'kysely'
import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import { DAY_MS } from '#lib/time.ts'

/** Read notifications stay for a year, far beyond what the bell shows. */
const READ_RETENTION_MS = 365 * DAY_MS
/** Rows deleted in one transaction, which bounds how long writers wait. */
const ROWS_PER_BATCH = 200

/** Deletes read notifications after a year. @returns rows deleted */
export const deleteExpiredNotifications = (db: Db, now: number): Promise<number> =>
  runInBatches(db, ROWS_PER_BATCH, (trx, limit) => deleteReadBefore(trx, now - READ_RETENTION_MS, limit))

/** By the partial index notifications_read, which is used only for a literal 1. @returns rows deleted, at most `limit` */
async function deleteReadBefore(trx: Trx, bound: number, limit: number): Promise<number> {
  const expired = trx
    .selectFrom('notifications_all')
    .select('id')
    .where('is_read', '=', sql.lit(1))
    .where('created_at', '<', bound)
    .orderBy('created_at')
    .limit(limit)
  const { numDeletedRows } = await trx
    .deleteFrom('notifications_all')
    .where('id', 'in', expired)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
