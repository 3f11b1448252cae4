import { randomUUID } from 'node:crypto'
import type { Trx } from '#db/client.ts'
import type { AdminLogTable } from '#db/schema.ts'
import { type AdminAction } from './admin-log.ts'

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
