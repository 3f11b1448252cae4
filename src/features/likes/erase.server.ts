import type { Db } from '#db/client.ts'
import { removeLike } from './likes.server.ts'

/**
 * Takes back the member's likes, at most `limit` of them (all by default), one by one: the bells that name the member
 * name others instead, and open pages hear the new counts from nobody in particular. Call it inside a transaction.
 * @returns how many it took back
 */
export async function eraseUser(trx: Db, userId: string, limit = -1): Promise<number> {
  const likes = await trx.selectFrom('dog_likes').select('dog_id').where('user_id', '=', userId).limit(limit).execute()
  for (const { dog_id } of likes) await removeLike(trx, userId, dog_id, { toldAs: '' })
  return likes.length
}
