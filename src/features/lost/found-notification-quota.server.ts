import { sql } from 'kysely'
import type { Trx } from '#db/client.ts'
import { madridDay } from '#lib/dates.ts'

/** Found notices of which an owner is notified in a day, for each of their dogs. */
export const FOUND_NOTIFICATIONS_PER_DAY = 5

/**
 * Counts a found notice of which the owner of a lost dog is notified today. The count belongs to the dog: ending its case and opening another
 * one does not reset it. Call it inside a transaction.
 * @returns false where the day has had its five
 */
export async function claimFoundNotification(trx: Trx, dogId: string, now: number): Promise<boolean> {
  const today = madridDay(now)
  const { numUpdatedRows } = await trx
    .updateTable('lost_history')
    .set({
      told_day: today,
      told_count: sql<number>`CASE WHEN told_day = ${today} THEN told_count + 1 ELSE 1 END`,
    })
    .where('dog_id', '=', dogId)
    .where((eb) => eb.or([eb('told_day', '!=', today), eb('told_count', '<', FOUND_NOTIFICATIONS_PER_DAY)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
