import { sql } from 'kysely'
import type { Trx } from '#db/client.ts'
import { commentSentence } from './comment-notifications.server.ts'
import { publishBellChange, publishDeletedNotifications } from './notifications.server.ts'

// A notification that quotes or describes a target has its id, and is found by it alone. Call all functions inside the transaction
// that changes the target.

/**
 * Deletes the notifications that quote the comments to the members of their dog, or lets them quote the one before by the same member. Those of
 * decisions stay. For comments that are gone or hidden.
 */
export async function deleteCommentNotifications(trx: Trx, commentIds: readonly string[]): Promise<void> {
  const quoting = await trx
    .selectFrom('notifications_all')
    .select(['id', 'user_id', 'actor_id', 'dog_id', 'times'])
    .where('target_id', 'in', commentIds)
    .where('type', '=', 'comment')
    .execute()
  for (const { id, user_id, actor_id, dog_id, times } of quoting) {
    const left = trx.selectFrom('comments').select(['id', 'content']).where('dog_id', '=', dog_id)
    const before =
      times > 1 &&
      (await left.where('user_id', '=', actor_id).orderBy('created_at', 'desc').limit(1).executeTakeFirst())
    if (before) {
      const quoted = { content: commentSentence(before.content), target_id: before.id, times: times - 1 }
      await trx.updateTable('notifications_all').set(quoted).where('id', '=', id).execute()
      await publishBellChange(trx, user_id, { notification: { id, dog_id } })
    } else {
      await trx.deleteFrom('notifications_all').where('id', '=', id).execute()
      await publishDeletedNotifications(trx, [{ id, user_id }])
    }
  }
}

/**
 * Deletes all notifications about comments or photos that are deleted for good, or cases that have ended.
 * @param limit deletes at most this many; default: all
 * @returns how many it deleted
 */
export async function deleteTargetNotifications(
  trx: Trx,
  targetIds: readonly string[],
  limit?: number,
): Promise<number> {
  if (targetIds.length === 0) return 0
  const ids = trx.selectFrom('notifications_all').select('id').where('target_id', 'in', targetIds)
  const deleted = await trx
    .deleteFrom('notifications_all')
    .where('id', 'in', limit === undefined ? ids : ids.limit(limit))
    .returning(['id', 'user_id'])
    .execute()
  await publishDeletedNotifications(trx, deleted)
  return deleted.length
}

/**
 * Deletes the notifications about a dog that is deleted for good, and about its comments and photos; hiding it does not delete these.
 * @param limit deletes at most this many; default: all
 * @returns how many it deleted
 */
export async function deleteDogTargetNotifications(trx: Trx, dogId: string, limit?: number): Promise<number> {
  const ids = trx.selectFrom('notifications_all').select('id').where('target_dog_id', '=', dogId)
  const deleted = await trx
    .deleteFrom('notifications_all')
    .where('id', 'in', limit === undefined ? ids : ids.limit(limit))
    .returning(['id', 'user_id'])
    .execute()
  await publishDeletedNotifications(trx, deleted)
  return deleted.length
}

/**
 * Rewrites the notifications about a dog and its photos with its new name and breed. There is one for each decision about it.
 * @param before how they describe it: «Toby, Beagle»
 */
export const redescribeDog = (trx: Trx, dogId: string, before: string, after: string) =>
  trx
    .updateTable('notifications_all')
    .set({ content: sql<string>`replace(content, ${before}, ${after})` })
    .where('target_dog_id', '=', dogId)
    .where('target_kind', 'in', ['dog', 'photo'])
    .execute()

/** Deletes a member's notifications that lead to `link`, of which a newer one takes the place. */
export async function deleteNotificationsLinked(trx: Trx, userId: string, link: string): Promise<void> {
  const deleted = await trx
    .deleteFrom('notifications_all')
    .where('user_id', '=', userId)
    .where('link', '=', link)
    .returning(['id', 'user_id'])
    .execute()
  await publishDeletedNotifications(trx, deleted)
}
