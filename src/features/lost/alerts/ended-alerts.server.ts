import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { deleteTargetNotifications } from '#features/notifications/target-notifications.server.ts'

/** Notifications that are deleted in one transaction. */
const NOTIFICATIONS_PER_BATCH = 25

/**
 * Deletes the alerts of cases that have ended, with their zones, from all bells: in batches, since ten thousand members may have one. It
 * goes on after a restart.
 */
export async function deleteEndedAlerts(db: Db, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const ended = await db.selectFrom('lost_alert_ends').select('case_id').limit(1).executeTakeFirst()
    if (!ended) return
    const { case_id } = ended
    // By the index notifications_target.
    const deleteBatch = (trx: Trx, limit: number) => deleteTargetNotifications(trx, [case_id], limit)
    await runInBatches(db, NOTIFICATIONS_PER_BATCH, deleteBatch, signal)
    await transact(db, (trx) => trx.deleteFrom('lost_alert_ends').where('case_id', '=', case_id).execute())
  }
}
