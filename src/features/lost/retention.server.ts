import type { Db } from '#db/client.ts'
import { DAY_MS } from '#lib/time.ts'
import { deleteOldAlertedDogs } from './alerts/alert-allowance.server.ts'
import { HISTORY_DAYS } from './lost.ts'

/**
 * Deletes what has outlived its case for HISTORY_DAYS, and cases and histories of dogs that are in no list and no quarantine any more.
 * @returns rows deleted
 */
export async function deleteExpiredLostRows(db: Db, now: number): Promise<number> {
  const publicDogs = db.selectFrom('dogs').select('id')
  const quarantinedDogs = db.selectFrom('held').select('thing_id').where('kind', '=', 'dog')
  const deletions = [
    deleteOldAlertedDogs(db, now),
    db.deleteFrom('lost_history').where('ended_at', '<=', now - HISTORY_DAYS * DAY_MS),
    db.deleteFrom('lost_cases').where('dog_id', 'not in', publicDogs).where('dog_id', 'not in', quarantinedDogs),
    db.deleteFrom('lost_history').where('dog_id', 'not in', publicDogs).where('dog_id', 'not in', quarantinedDogs),
  ]
  let deleted = 0
  for (const deletion of deletions) deleted += Number((await deletion.executeTakeFirstOrThrow()).numDeletedRows)
  return deleted
}
