import type { Trx } from '#db/client.ts'
import { deleteTargetNotifications } from '#features/notifications/target-notifications.server.ts'
import { deleteQuarantinedOpinions } from './quarantine.server.ts'

/**
 * Deletes the member's opinions, at most `limit`. Call it inside a transaction.
 * @returns how many it deleted
 */
export async function eraseUser(trx: Trx, userId: string, limit: number): Promise<number> {
  return deleteOpinions(trx, 'user_id', userId, limit)
}

/** Deletes opinions with what quotes them. @returns how many */
async function deleteOpinions(trx: Trx, column: 'user_id' | 'dog_id', value: string, limit: number): Promise<number> {
  const ids = trx.selectFrom('breed_opinions').select('id').where(column, '=', value).limit(limit)
  const deleted = await trx.deleteFrom('breed_opinions').where('id', 'in', ids).returning('id').execute()
  await deleteTargetNotifications(
    trx,
    deleted.map(({ id }) => id),
  )
  return deleted.length
}

/**
 * Deletes what everybody thinks of a dog that is about to be deleted, public or in quarantine, at most `limit` opinions; with the last of
 * them the question. Call it inside a transaction.
 * @returns how many it deleted
 */
export async function eraseDog(trx: Trx, dogId: string, limit: number): Promise<number> {
  const count = await deleteOpinions(trx, 'dog_id', dogId, limit)
  if (count === limit) return count
  await deleteQuarantinedOpinions(trx, dogId)
  await trx.deleteFrom('opinion_requests').where('dog_id', '=', dogId).execute()
  return count
}

/**
 * Takes at most `limit` opinions of a member whose account waits for its deletion out of sight. Call it inside a transaction.
 * @returns how many
 */
export const hideOpinionsOf = (trx: Trx, userId: string, limit: number): Promise<number> =>
  markWithdrawn(trx, userId, limit, 1)

/** The same back into sight. */
export const showOpinionsOf = (trx: Trx, userId: string, limit: number): Promise<number> =>
  markWithdrawn(trx, userId, limit, 0)

async function markWithdrawn(trx: Trx, userId: string, limit: number, isWithdrawn: 0 | 1): Promise<number> {
  const ids = selectMarked(trx, userId, isWithdrawn === 1 ? 0 : 1).limit(limit)
  const { numUpdatedRows } = await trx
    .updateTable('breed_opinions')
    .set({ is_withdrawn: isWithdrawn })
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

const selectMarked = (trx: Trx, userId: string, isWithdrawn: 0 | 1) =>
  trx.selectFrom('breed_opinions').select('id').where('user_id', '=', userId).where('is_withdrawn', '=', isWithdrawn)

/** Whether opinions of the member are out of sight. */
export const hasHiddenOpinions = async (trx: Trx, userId: string): Promise<boolean> =>
  (await selectMarked(trx, userId, 1).limit(1).executeTakeFirst()) !== undefined
