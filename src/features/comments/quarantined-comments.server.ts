import type { Selectable } from 'kysely'
import { type HiddenCause, mainCause } from '#db/content.ts'
import type { Db, Trx } from '#db/client.ts'
import type { CommentsTable } from '#db/schema.ts'
import { discardCases } from '#features/moderation/content.server.ts'
import { deleteTargetNotifications } from '#features/notifications/target-notifications.server.ts'

export type CommentRow = Selectable<CommentsTable>

const OWN_QUARANTINED_MAX = 20

/** The whole comment, on one line: nobody approves what they have not read to its end. */
export const quoteComment = (content: string): string => `«${content.replace(/\s+/g, ' ')}»`

/** A comment that is in quarantine with its dog. */
export const findCommentOfQuarantinedDog = (db: Db, id: string): Promise<CommentRow | undefined> =>
  db.selectFrom('held_comments').selectAll().where('id', '=', id).executeTakeFirst()

/** Deletes a comment that is in quarantine with its dog, and returns it: the dog's restore no longer restores it. */
export const detachCommentOfQuarantinedDog = (trx: Trx, id: string): Promise<CommentRow | undefined> =>
  trx.deleteFrom('held_comments').where('id', '=', id).returningAll().executeTakeFirst()

/** One member's hidden comments on a dog, newest first, by index comments_user. Only for that member's eyes. */
export async function listQuarantinedComments(
  db: Db,
  dogId: string,
  userId: string,
): Promise<(Omit<CommentRow, 'hidden'> & { cause: HiddenCause })[]> {
  const rows = await db
    .selectFrom('comments_all')
    .selectAll()
    .where('user_id', '=', userId)
    .where('hidden', '>', 0)
    .where('dog_id', '=', dogId)
    .orderBy('created_at', 'desc')
    .limit(OWN_QUARANTINED_MAX)
    .execute()
  return rows.map(({ hidden, ...row }) => ({ ...row, cause: mainCause(hidden) ?? 'admin' }))
}

/** Deletes the member's own comment that is hidden, by itself or with its dog. @returns whether there was one */
export async function deleteOwnQuarantined(trx: Trx, id: string, userId: string): Promise<boolean> {
  const own = [
    await trx.deleteFrom('held_comments').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst(),
    await trx.deleteFrom('comments_all').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst(),
  ]
  if (own.every(({ numDeletedRows }) => numDeletedRows === 0n)) return false
  await discardCases(trx, 'comment', [id])
  await deleteTargetNotifications(trx, [id])
  return true
}
