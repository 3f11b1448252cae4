import type { Trx } from '#db/client.ts'
import { hide, listOfLeaving, show } from '#features/moderation/content.server.ts'
import { findQuarantined, type QuarantineCause } from '#features/moderation/quarantine.server.ts'
import { notifyComment } from '#features/notifications/comment-notifications.server.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { announceGone, publishAddedComment } from './comments.server.ts'

const commentNotFound = () => notFound('Este comentario ya no existe.')

/**
 * Hides a comment: notifications that quote it and its events in the stream's history are deleted. Call it in the action's own
 * transaction.
 * @throws AppError 404
 */
export async function quarantineComment(trx: Trx, id: string, cause: QuarantineCause): Promise<void> {
  const hidden = await hide(trx, 'comment', id, cause)
  if (!hidden) throw commentNotFound()
  if (hidden.before === 0 && !hidden.isWithin) await announceGone(trx, [hidden.row])
}

/**
 * Hides at most `limit` comments of a member whose account waits for its deletion, those of quarantined dogs included. Call
 * it inside a transaction. @returns how many
 */
export async function quarantineCommentsOf(trx: Trx, userId: string, limit: number): Promise<number> {
  const ids = await listOfLeaving(trx, 'comment', userId, false, limit)
  for (const id of ids) await quarantineComment(trx, id, 'deletion')
  return ids.length
}

/** The same back into sight. Nobody is notified. */
export async function returnComments(trx: Trx, userId: string, limit: number): Promise<number> {
  const ids = await listOfLeaving(trx, 'comment', userId, true, limit)
  for (const id of ids) {
    const shown = await show(trx, 'comment', id, 'deletion')
    if (shown && shown.row.hidden === 0 && !shown.isWithin) await publishShown(trx, shown.row)
  }
  return ids.length
}

/**
 * Shows a comment that the review has hidden. For one that was never public, the dog's owner and discoverer are notified now.
 * @throws AppError 404; 409 while its dog is in quarantine
 */
export async function restoreComment(trx: Trx, id: string, now = Date.now()): Promise<void> {
  const item = await findQuarantined(trx, 'comment', id)
  const shown = item && (await show(trx, 'comment', id, 'words', 'reports', 'admin'))
  if (!shown) throw commentNotFound()
  if (shown.isWithin) throw new AppError(409, 'Su perro está oculto: restáuralo primero.')
  if (shown.row.hidden !== 0) return
  const dog = await publishShown(trx, shown.row, now)
  if (item.cause === 'words') await notifyComment(trx, shown.row, dog, now)
}

async function publishShown(trx: Trx, row: Parameters<typeof publishAddedComment>[1], now = Date.now()) {
  const dog = await trx
    .selectFrom('dogs')
    .select(['id', 'owner_id', 'discoverer_id', 'comments_count'])
    .where('id', '=', row.dog_id)
    .executeTakeFirstOrThrow()
  await publishAddedComment(trx, row, dog.comments_count, now)
  return dog
}
