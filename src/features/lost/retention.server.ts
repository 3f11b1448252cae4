import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { DAY_MS } from '#lib/time.ts'
import { deleteOldAlertedDogs, forgetNetworks } from './alerts/alert-allowance.server.ts'
import { HISTORY_DAYS } from './lost.ts'

/** Whether a row's dog is in no list and no quarantine: by the primary key of each. */
const isOfNoDog = (dogId: string) =>
  sql<boolean>`(NOT EXISTS (SELECT 1 FROM dogs AS d WHERE d.id = ${sql.ref(dogId)})
    AND NOT EXISTS (SELECT 1 FROM held AS h WHERE h.kind = 'dog' AND h.thing_id = ${sql.ref(dogId)}))`

/**
 * Deletes what has outlived its case for HISTORY_DAYS, networks after three days, and cases and histories of dogs that are in no list and no quarantine any more.
 * @returns rows deleted
 */
export async function deleteExpiredLostRows(db: Db, now: number): Promise<number> {
  await forgetNetworks(db, now)
  const deletions = [
    deleteOldAlertedDogs(db, now),
    db.deleteFrom('lost_history').where('ended_at', '<=', now - HISTORY_DAYS * DAY_MS),
    db.deleteFrom('lost_cases').where(isOfNoDog('lost_cases.dog_id')),
    db.deleteFrom('lost_history').where(isOfNoDog('lost_history.dog_id')),
  ]
  let deleted = 0
  for (const deletion of deletions) deleted += Number((await deletion.executeTakeFirstOrThrow()).numDeletedRows)
  return deleted
}
