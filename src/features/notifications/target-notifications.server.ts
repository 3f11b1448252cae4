import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { publishDeletedLines } from './notifications.server.ts'

// Lines of bells that quote or describe something carry its id, and are found by it alone. All functions are called inside the
// transaction that changes the target.

/** Deletes the lines that quote the comments for the people of their dog. Those of decisions stay: for comments that are quarantined. */
export async function deleteCommentNotifications(trx: Db, commentIds: readonly string[]): Promise<void> {
  const deleted = await trx
    .deleteFrom('notifications')
    .where('target_id', 'in', commentIds)
    .where('type', '=', 'comment')
    .returning(['id', 'user_id'])
    .execute()
  await publishDeletedLines(trx, deleted)
}

/** Deletes every line about comments or photos that are deleted for good. */
export async function deleteTargetNotifications(trx: Db, targetIds: readonly string[]): Promise<void> {
  if (targetIds.length === 0) return
  const deleted = await trx
    .deleteFrom('notifications')
    .where('target_id', 'in', targetIds)
    .returning(['id', 'user_id'])
    .execute()
  await publishDeletedLines(trx, deleted)
}

/**
 * Deletes the lines about a dog that is deleted for good, and about its comments and photos, which quarantine leaves alone.
 * @param limit deletes at most this many; default: all
 * @returns how many it deleted
 */
export async function deleteDogTargetNotifications(trx: Db, dogId: string, limit = -1): Promise<number> {
  const deleted = await trx
    .deleteFrom('notifications')
    .where('id', 'in', (eb) =>
      eb.selectFrom('notifications').select('id').where('target_dog_id', '=', dogId).limit(limit),
    )
    .returning(['id', 'user_id'])
    .execute()
  await publishDeletedLines(trx, deleted)
  return deleted.length
}

/** Moves the lines about a photo to its new address, which is its id. */
export const renameNotificationTarget = (trx: Db, before: string, after: string) =>
  trx
    .updateTable('notifications')
    .set({ target_id: after })
    .where('target_id', '=', before)
    .where('target_kind', '=', 'photo')
    .execute()

/**
 * Rewrites the lines about a dog and its photos: they describe it as it is called now. There is one for each decision about it.
 * @param before how they describe it: «Toby, Beagle»
 */
export const redescribeDog = (trx: Db, dogId: string, before: string, after: string) =>
  trx
    .updateTable('notifications')
    .set({ content: sql<string>`replace(content, ${before}, ${after})` })
    .where('target_dog_id', '=', dogId)
    .where('target_kind', 'in', ['dog', 'photo'])
    .execute()
