import { sql } from 'kysely'
import { runInBatches } from '#db/batches.ts'
import type { Db } from '#db/client.ts'
import { deleteSightingPhotos, PHOTOS_PER_BATCH } from '#db/sighting-photos.ts'
import { transact } from '#db/transact.ts'
import { DAY_MS } from '#lib/time.ts'
import { HISTORY_DAYS } from './lost.ts'

/** Whether a row's dog is deleted: by its primary key. */
const isOfNoDog = (dogId: string) =>
  sql<boolean>`NOT EXISTS (SELECT 1 FROM dogs_all AS d WHERE d.id = ${sql.ref(dogId)})`

/** What is left of a history after HISTORY_DAYS: the circle, so that the next case of the place shows the same one. */
const CIRCLE_ALONE = {
  ended_at: 0,
  alerted_at: null,
  thanked_at: null,
  is_unanswered: 0,
  since: null,
  zone: null,
  help: null,
  told_day: 0,
  told_count: 0,
} as const

/**
 * Deletes what has outlived its case for HISTORY_DAYS, and cases and histories of dogs that are deleted.
 * @returns rows deleted
 */
export async function deleteExpiredLostRows(db: Db, now: number): Promise<number> {
  await transact(db, (trx) =>
    trx
      .updateTable('lost_history')
      .set(CIRCLE_ALONE)
      .where('ended_at', '>', 0)
      .where('ended_at', '<=', now - HISTORY_DAYS * DAY_MS)
      .execute(),
  )
  const ofNoDog = await db.selectFrom('lost_cases').select('dog_id').where(isOfNoDog('lost_cases.dog_id')).execute()
  const dogIds = ofNoDog.map(({ dog_id }) => dog_id)
  for (const dogId of dogIds)
    await runInBatches(db, PHOTOS_PER_BATCH, (trx, limit) => deleteSightingPhotos(trx, { dogId }, limit))
  return transact(db, async (trx) => {
    const deletions = [
      trx
        .deleteFrom('lost_history')
        .where('ended_at', '<=', now - HISTORY_DAYS * DAY_MS)
        .where('circle_lat', 'is', null),
      ...dogIds.map((dogId) => trx.deleteFrom('lost_cases').where('dog_id', '=', dogId)),
      trx.deleteFrom('lost_history').where(isOfNoDog('lost_history.dog_id')),
    ]
    let deleted = 0
    for (const deletion of deletions) deleted += Number((await deletion.executeTakeFirstOrThrow()).numDeletedRows)
    return deleted
  })
}
