import type { Trx } from '#db/client.ts'
import { addQuarantinedRows } from '#db/quarantined-rows.ts'
import { type QuarantineCause, readQuarantined, takeFromQuarantine } from '#features/moderation/quarantine.server.ts'
import { notifyComment } from '#features/notifications/comment-notifications.server.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { detachComments, publishAddedComment } from './comments.server.ts'
import {
  type CommentRow,
  detachCommentOfQuarantinedDog,
  storeQuarantinedComment,
} from './quarantined-comments.server.ts'

const commentNotFound = () => notFound('Este comentario ya no existe.')

/**
 * Moves a comment to quarantine: its row goes to table `held`; notifications that quote it and its events in the stream's
 * history are deleted. One that is in quarantine with its dog stays there when the dog is restored. Call it in the action's own
 * transaction.
 * @throws AppError 404
 */
export async function quarantineComment(
  trx: Trx,
  id: string,
  cause: QuarantineCause,
  now = Date.now(),
): Promise<CommentRow> {
  const [published] = await detachComments(trx, [id])
  const row = published ?? (await detachCommentOfQuarantinedDog(trx, id))
  if (!row) throw commentNotFound()
  await storeQuarantinedComment(trx, row, cause, now)
  return row
}

/**
 * Puts at most `limit` comments of a member in quarantine whose account waits for its deletion, those of quarantined dogs included. Call
 * it inside a transaction. @returns how many
 */
export async function quarantineCommentsOf(trx: Trx, userId: string, limit: number, now = Date.now()): Promise<number> {
  const select = (table: 'comments' | 'held_comments', count: number) =>
    trx.selectFrom(table).select('id').where('user_id', '=', userId).limit(count).execute()
  const shown = await select('comments', limit)
  const rows = [...shown, ...(await select('held_comments', limit - shown.length))]
  for (const { id } of rows) await quarantineComment(trx, id, 'deletion', now)
  return rows.length
}

/**
 * Returns a comment whose member's account is back: to its dog, or where that is in quarantine beside it. Nobody is notified. Call it
 * inside a transaction.
 */
export async function returnComment(trx: Trx, id: string, now = Date.now()): Promise<void> {
  const item = await takeFromQuarantine(trx, 'comment', id)
  if (!item) return
  const row = JSON.parse(item.snapshot) as CommentRow
  const dog = await trx.selectFrom('dogs').select('comments_count').where('id', '=', row.dog_id).executeTakeFirst()
  if (!dog) return addQuarantinedRows(trx, 'comments', [row])
  await trx.insertInto('comments').values(row).execute()
  await publishAddedComment(trx, row, dog.comments_count + 1, now)
}

/**
 * Publishes a comment from quarantine. For one that was never public, the dog's owner and discoverer are notified now.
 * @throws AppError 404; 409 while its dog is in quarantine
 */
export async function restoreComment(trx: Trx, id: string, now = Date.now()): Promise<CommentRow> {
  const quarantined = await readQuarantined(trx, 'comment', id)
  if (!quarantined) throw commentNotFound()
  const row = JSON.parse(quarantined.snapshot) as CommentRow
  const dog = await trx
    .selectFrom('dogs')
    .select(['id', 'owner_id', 'discoverer_id', 'comments_count'])
    .where('id', '=', row.dog_id)
    .executeTakeFirst()
  if (!dog) throw new AppError(409, 'Su perro está oculto: restáuralo primero.')
  await takeFromQuarantine(trx, 'comment', id)
  await trx.insertInto('comments').values(row).execute()
  if (quarantined.cause === 'words') await notifyComment(trx, row, dog, now)
  await publishAddedComment(trx, row, dog.comments_count + 1, now)
  return row
}
