import type { Trx } from '#db/client.ts'
import { removeLike } from './likes.server.ts'

/**
 * Deletes the member's likes, at most `limit` of them, one by one: bells that name the member then name another liker, and
 * open pages receive the new counts without the member's id. Call it inside a transaction.
 * @returns how many it deleted
 */
export async function eraseUser(trx: Trx, userId: string, limit: number): Promise<number> {
  const likes = await trx
    .selectFrom('dog_likes_all')
    .select('dog_id')
    .where('user_id', '=', userId)
    .limit(limit)
    .execute()
  for (const { dog_id } of likes) await removeLike(trx, userId, dog_id, { isErased: true })
  return likes.length
}

/**
 * Deletes the likes of a dog that is about to be deleted, at most `limit`; open pages learn of the dog itself. Call it inside
 * a transaction.
 * @returns how many it deleted
 */
export async function eraseDog(trx: Trx, dogId: string, limit: number): Promise<number> {
  const chosen = trx.selectFrom('dog_likes_all').select('id').where('dog_id', '=', dogId).limit(limit)
  const gone = await trx.deleteFrom('dog_likes_all').where('id', 'in', chosen).executeTakeFirstOrThrow()
  return Number(gone.numDeletedRows)
}
