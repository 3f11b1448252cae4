import type { Db } from '#db/client.ts'
import { removeComment } from './comments.server.ts'

/**
 * Takes away what the member wrote, at most `limit` comments (all by default). Call it inside a transaction.
 * @returns how many it took away
 */
export async function eraseUser(trx: Db, userId: string, limit = -1): Promise<number> {
  const comments = await trx.selectFrom('comments').select('id').where('user_id', '=', userId).limit(limit).execute()
  for (const { id } of comments) await removeComment(trx, id)
  return comments.length
}
