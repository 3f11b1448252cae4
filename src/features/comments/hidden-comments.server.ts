import { hasWaited, type HiddenCause } from '#db/content.ts'
import type { Trx } from '#db/client.ts'
import { findContent, hide, listOfLeaving, REVIEWED, show } from '#features/moderation/content.server.ts'
import { notifyComment } from '#features/notifications/comment-notifications.server.ts'
import { deleteCommentNotifications } from '#features/notifications/target-notifications.server.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { announceGone, publishAddedComment } from './comments.server.ts'
import type { CommentRow } from './own-comments.server.ts'

const commentNotFound = () => notFound('Este comentario ya no existe.')

/**
 * Hides a comment, and deletes notifications that quote it, but for those of a member who may come back. Call it in the action's own transaction.
 * @throws AppError 404
 */
export async function hideComment(trx: Trx, id: string, cause: HiddenCause): Promise<void> {
  const hidden = await hide(trx, 'comment', id, cause)
  if (!hidden) throw commentNotFound()
  if (cause !== 'deletion') await deleteCommentNotifications(trx, [id])
  if (hidden.before === 0) await announceGone(trx, [hidden.row])
}

/**
 * Hides at most `limit` comments of a member whose account waits for its deletion, those of hidden dogs included. Call
 * it inside a transaction. @returns how many
 */
export async function hideCommentsOf(trx: Trx, userId: string, limit: number): Promise<number> {
  const ids = await listOfLeaving(trx, 'comment', userId, false, limit)
  for (const id of ids) await hideComment(trx, id, 'deletion')
  return ids.length
}

/** The same back into sight. Nobody is notified. */
export async function returnComments(trx: Trx, userId: string, limit: number): Promise<number> {
  const ids = await listOfLeaving(trx, 'comment', userId, true, limit)
  for (const id of ids) {
    const shown = await show(trx, 'comment', id, 'deletion')
    if (shown?.row.hidden === 0) await publishShown(trx, shown.row)
  }
  return ids.length
}

/**
 * Shows a comment that the review has hidden. For one that was never public, the dog's owner and discoverer are notified now.
 * @throws AppError 404; 409 while its dog is hidden
 */
export async function showComment(trx: Trx, id: string, now = Date.now()): Promise<void> {
  const shown = await show(trx, 'comment', id, ...REVIEWED)
  if (!shown || shown.before === 0) throw commentNotFound()
  if (shown.row.hidden !== 0) return
  const dog = await publishShown(trx, shown.row, now)
  if (!dog) throw new AppError(409, 'Su perro está oculto: restáuralo primero.')
  if (hasWaited(shown.before)) await notifyComment(trx, shown.row, dog, now)
}

/** @returns its dog where that is shown, too */
async function publishShown(trx: Trx, row: CommentRow, now = Date.now()) {
  const dog = await findContent(trx, 'dog', row.dog_id)
  if (dog?.hidden !== 0) return undefined
  await publishAddedComment(trx, row, now)
  return dog
}
