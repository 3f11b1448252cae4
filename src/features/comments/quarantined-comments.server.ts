import type { Selectable } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import type { CommentsTable } from '#db/schema.ts'
import {
  type QuarantineCause,
  findQuarantined,
  quarantine,
  removeFromQuarantine,
} from '#features/moderation/quarantine.server.ts'
import { deleteTargetNotifications } from '#features/notifications/target-notifications.server.ts'

export type CommentRow = Selectable<CommentsTable>

const OWN_QUARANTINED_MAX = 20

/** The whole comment, on one line: nobody approves what they have not read to its end. */
export const quoteComment = (content: string): string => `«${content.replace(/\s+/g, ' ')}»`

/** Stores a comment in quarantine. */
export const storeQuarantinedComment = (
  trx: Trx,
  row: CommentRow,
  cause: QuarantineCause,
  now = Date.now(),
): Promise<void> =>
  quarantine(
    trx,
    { kind: 'comment', id: row.id, dogId: row.dog_id, memberIds: [row.user_id], cause, snapshot: row },
    now,
  )

/** A comment that is in quarantine with its dog. */
export const findCommentOfQuarantinedDog = (db: Db, id: string): Promise<CommentRow | undefined> =>
  db.selectFrom('held_comments').selectAll().where('id', '=', id).executeTakeFirst()

/** Deletes a comment that is in quarantine with its dog, and returns it: the dog's restore no longer restores it. */
export const detachCommentOfQuarantinedDog = (trx: Trx, id: string): Promise<CommentRow | undefined> =>
  trx.deleteFrom('held_comments').where('id', '=', id).returningAll().executeTakeFirst()

/** One member's comments on a dog that are in quarantine, newest first. Only for that member's eyes. */
export async function listQuarantinedComments(
  db: Db,
  dogId: string,
  userId: string,
): Promise<(CommentRow & { cause: QuarantineCause })[]> {
  const rows = await db
    .selectFrom('held')
    .select(['snapshot', 'cause'])
    .where('dog_id', '=', dogId)
    .where('kind', '=', 'comment')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(OWN_QUARANTINED_MAX)
    .execute()
  return rows.map(({ snapshot, cause }) => ({ ...(JSON.parse(snapshot) as CommentRow), cause }))
}

/** Deletes the member's own comment from quarantine, quarantined by itself or with its dog. @returns whether there was one */
export async function deleteOwnQuarantined(trx: Trx, id: string, userId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('held_comments')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) {
    const quarantined = await findQuarantined(trx, 'comment', id)
    if (quarantined?.user_id !== userId) return false
    await removeFromQuarantine(trx, 'comment', id)
  }
  await deleteTargetNotifications(trx, [id])
  return true
}
