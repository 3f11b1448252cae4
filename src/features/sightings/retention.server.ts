import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { deleteExpiredRefusals, networksForgottenUntil } from '#features/contact/retention.server.ts'

/** Deletes refusals, keys of networks and the networks of sightings after three days. @returns rows deleted */
export async function deleteExpiredSightingRows(db: Db, now: number): Promise<number> {
  await transact(db, (trx) =>
    trx
      .updateTable('sightings')
      .set({ network: null })
      .where('network', 'is not', null)
      .where('created_at', '<=', networksForgottenUntil(now))
      .execute(),
  )
  return deleteExpiredRefusals(db, now)
}
