import type { Trx } from '#db/client.ts'
import { deleteQuarantinedRows } from '#db/quarantined-rows.ts'
import { discardCases } from '#features/moderation/content.server.ts'
import { removeComments } from './comments.server.ts'

/** Deletes hidden comments of quarantined dogs, at most `limit`, with their cases. @returns how many */
async function eraseHiddenInQuarantine(
  trx: Trx,
  column: 'user_id' | 'dog_id',
  value: string,
  limit: number,
): Promise<number> {
  const hidden = trx.selectFrom('held_comments').select('id').where(column, '=', value).where('hidden', '>', 0)
  const gone = await trx.deleteFrom('held_comments').where('id', 'in', hidden.limit(limit)).returning('id').execute()
  await discardCases(
    trx,
    'comment',
    gone.map(({ id }) => id),
  )
  return gone.length
}

/**
 * Deletes what the member wrote, at most `limit` comments. Call it inside a transaction.
 * @returns how many it deleted
 */
export async function eraseUser(trx: Trx, userId: string, limit: number): Promise<number> {
  let quarantined = await eraseHiddenInQuarantine(trx, 'user_id', userId, limit)
  quarantined += await deleteQuarantinedRows(trx, 'comments_all', { userId }, limit - quarantined)
  if (quarantined === limit) return limit
  const comments = await trx
    .selectFrom('comments_all')
    .select('id')
    .where('user_id', '=', userId)
    .limit(limit - quarantined)
    .execute()
  await removeComments(
    trx,
    comments.map(({ id }) => id),
  )
  return quarantined + comments.length
}

/**
 * Deletes what everybody wrote of a dog that is about to be deleted, at most `limit` comments; open pages learn of the dog
 * itself. Call it inside a transaction.
 * @returns how many it deleted
 */
export async function eraseDog(trx: Trx, dogId: string, limit: number): Promise<number> {
  let quarantined = await eraseHiddenInQuarantine(trx, 'dog_id', dogId, limit)
  quarantined += await deleteQuarantinedRows(trx, 'comments_all', { dogId }, limit - quarantined)
  if (quarantined === limit) return limit
  const ids = trx.selectFrom('comments_all').select('id').where('dog_id', '=', dogId)
  const gone = await trx
    .deleteFrom('comments_all')
    .where('id', 'in', ids.limit(limit - quarantined))
    .returning(['id', 'hidden'])
    .execute()
  await discardCases(
    trx,
    'comment',
    gone.filter(({ hidden }) => hidden !== 0).map(({ id }) => id),
  )
  return quarantined + gone.length
}
