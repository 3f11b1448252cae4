import type { Trx } from '#db/client.ts'
import { discardCases } from '#features/moderation/content.server.ts'
import { removeComments } from './comments.server.ts'

/**
 * Deletes what the member wrote, at most `limit` comments. Call it inside a transaction.
 * @returns how many it deleted
 */
export async function eraseUser(trx: Trx, userId: string, limit: number): Promise<number> {
  const comments = await trx
    .selectFrom('comments_all')
    .select('id')
    .where('user_id', '=', userId)
    .limit(limit)
    .execute()
  await removeComments(
    trx,
    comments.map(({ id }) => id),
  )
  return comments.length
}

/**
 * Deletes what everybody wrote of a dog that is about to be deleted, at most `limit` comments; open pages learn of the dog
 * itself. Call it inside a transaction.
 * @returns how many it deleted
 */
export async function eraseDog(trx: Trx, dogId: string, limit: number): Promise<number> {
  const ids = trx.selectFrom('comments_all').select('id').where('dog_id', '=', dogId)
  const gone = await trx
    .deleteFrom('comments_all')
    .where('id', 'in', ids.limit(limit))
    .returning(['id', 'hidden'])
    .execute()
  await discardCases(
    trx,
    'comment',
    gone.filter(({ hidden }) => hidden !== 0).map(({ id }) => id),
  )
  return gone.length
}
