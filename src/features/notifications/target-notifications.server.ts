import { type SelectQueryBuilder, sql } from 'kysely'
import type { Trx } from '#db/client.ts'
import type { Schema } from '#db/schema.ts'
import { describe } from './kinds.ts'
import { deleteFound, publishBellChange, publishDeletedNotifications } from './notifications.server.ts'

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
      const quoted = {
        content: describe('comment', { comment: before }).content,
        target_id: before.id,
        times: times - 1,
      }
      await trx.updateTable('notifications_all').set(quoted).where('id', '=', id).execute()
      await publishBellChange(trx, user_id, { id })
    } else {
      await trx.deleteFrom('notifications_all').where('id', '=', id).execute()
      await publishDeletedNotifications(trx, [{ id, user_id }])
    }
  }
}

/** `deleteFound` of those about comments or photos that are deleted for good, or cases that have ended. */
export const deleteTargetNotifications = (trx: Trx, targetIds: readonly string[], limit?: number): Promise<number> =>
  deleteFound(trx, trx.selectFrom('notifications_all').select('id').where('target_id', 'in', targetIds), limit)

/** `deleteFound` of those about targets that lead to something that is gone. @param targetIds a query of their ids */
export const deleteLinkNotifications = (
  trx: Trx,
  targetIds: SelectQueryBuilder<Schema, keyof Schema, Record<string, string>>,
  link: string,
): Promise<number> => {
  const leading = trx.selectFrom('notifications_all').select('id').where('link', '=', link)
  return deleteFound(trx, leading.where('target_id', 'in', targetIds))
}

/** The same of a dog that is deleted for good, and its comments and photos; hiding it does not delete these. */
export const deleteDogTargetNotifications = (trx: Trx, dogId: string, limit?: number): Promise<number> =>
  deleteFound(trx, trx.selectFrom('notifications_all').select('id').where('target_dog_id', '=', dogId), limit)

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
