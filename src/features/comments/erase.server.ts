import type { Trx } from '#db/client.ts'
import { deleteQuarantinedRows } from '#db/quarantined-rows.ts'
import { removeComments } from './comments.server.ts'

/**
 * Deletes what the member wrote, at most `limit` comments. Call it inside a transaction.
 * @returns how many it deleted
 */
export async function eraseUser(trx: Trx, userId: string, limit: number): Promise<number> {
  const quarantined = await deleteQuarantinedRows(trx, 'comments', { userId }, limit)
  if (quarantined === limit) return limit
  const comments = await trx
    .selectFrom('comments')
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
  const quarantined = await deleteQuarantinedRows(trx, 'comments', { dogId }, limit)
  if (quarantined === limit) return limit
  const gone = await trx
    .deleteFrom('comments')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('comments')
        .select('id')
        .where('dog_id', '=', dogId)
        .limit(limit - quarantined),
    )
    .executeTakeFirstOrThrow()
  return quarantined + Number(gone.numDeletedRows)
}
