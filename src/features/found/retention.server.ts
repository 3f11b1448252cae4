import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { networksForgottenUntil } from '#features/contact/retention.server.ts'
import { deleteNotices } from './notice.server.ts'

/** Notices that one transaction deletes: each has a photo of some hundred kB, which is overwritten. */
const NOTICES_PER_BATCH = 10

/**
 * Deletes notices whose time is over, with their photos, matches, answers and conversations, and forgets the networks of others, and of reports,
 * after three days.
 * @returns rows deleted
 */
export async function deleteExpiredNotices(db: Db, now: number): Promise<number> {
  const until = networksForgottenUntil(now)
  const forgotten = { network: null }
  await transact(db, (trx) =>
    trx
      .updateTable('found_notices')
      .set(forgotten)
      .where('network', 'is not', null)
      .where('created_at', '<=', until)
      .execute(),
  )
  await transact(db, (trx) =>
    trx
      .updateTable('found_reports')
      .set(forgotten)
      .where('network', 'is not', null)
      .where('created_at', '<=', until)
      .execute(),
  )
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
