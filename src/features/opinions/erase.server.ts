import type { Trx } from '#db/client.ts'
import { removeOpinions } from './hidden-opinions.server.ts'

/**
 * Deletes the member's opinions, at most `limit`. Call it inside a transaction.
 * @returns how many it deleted
 */
export const eraseUser = (trx: Trx, userId: string, limit: number): Promise<number> =>
  deleteOpinions(trx, 'user_id', userId, limit)

async function deleteOpinions(trx: Trx, column: 'user_id' | 'dog_id', value: string, limit: number): Promise<number> {
  const rows = trx.selectFrom('breed_opinions_all').select('id').where(column, '=', value).limit(limit)
  return removeOpinions(
    trx,
    (await rows.execute()).map(({ id }) => id),
  )
}

/**
 * Deletes what everybody thinks of a dog that is about to be deleted, at most `limit` opinions; with the last of them the question. Call it
 * inside a transaction.
 * @returns how many it deleted
 */
export async function eraseDog(trx: Trx, dogId: string, limit: number): Promise<number> {
  const count = await deleteOpinions(trx, 'dog_id', dogId, limit)
  if (count < limit) await trx.deleteFrom('opinion_requests').where('dog_id', '=', dogId).execute()
  return count
}
