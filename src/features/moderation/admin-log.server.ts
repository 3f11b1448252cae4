import { randomUUID } from 'node:crypto'
import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import type { AdminLogTable } from '#db/schema.ts'
import { DAY_MS } from '#lib/time.ts'
import { ADMIN_LOG_DAYS, type AdminAction } from './admin-log.ts'

export interface NewAdminLogEntry {
  /** Null: the operator, on the machine. */
  adminId: string | null
  action: AdminAction
  /** What it is about. Its id is null where `recordId` leads to it, or nobody has an account. */
  target: { kind: AdminLogTable['target_kind']; id: string | null }
  /** The decision, notification or breed edit that the action wrote, where its reason and words are. */
  recordId?: string | null
}

/**
 * Adds an entry to the log of what admins did. Call it in the action's transaction. Entries hold ids alone: the log takes no changes, so
 * that nothing of a person could be erased from it.
 */
export async function logAdminAction(
  trx: Trx,
  { adminId, action, target, recordId = null }: NewAdminLogEntry,
  now = Date.now(),
): Promise<void> {
  await trx
    .insertInto('admin_log')
    .values({
      id: randomUUID(),
      admin_id: adminId,
      action,
      target_kind: target.kind,
      target_id: target.id,
      record_id: recordId,
      created_at: now,
    })
    .execute()
}

/** Rows deleted in one transaction, which bounds how long writers wait. */
const ROWS_PER_BATCH = 200

/** Deletes entries after ADMIN_LOG_DAYS, by the database's clock, which is not behind `now`. @returns rows deleted */
export async function deleteExpiredAdminLog(db: Db, now: number): Promise<number> {
  const bound = Math.min(now, Date.now()) - ADMIN_LOG_DAYS * DAY_MS
  let total = 0
  await runInBatches(db, ROWS_PER_BATCH, async (trx, limit) => {
    const expired = trx.selectFrom('admin_log').select('id').where('created_at', '<', bound).limit(limit)
    const { numDeletedRows } = await trx.deleteFrom('admin_log').where('id', 'in', expired).executeTakeFirstOrThrow()
    total += Number(numDeletedRows)
    return Number(numDeletedRows)
  })
  return total
}
