import type { Db } from '#db/client.ts'
import { publishDeletedLines } from './notifications.server.ts'

/**
 * Deletes lines of the member's own bell and lines of others that name the member, at most `limit`. A line of grouped likes
 * that names somebody else once likes are erased forgets who gave the last of them, and stays. After likes; call it inside a
 * transaction.
 * @returns how many lines it deleted or changed
 */
export async function eraseLines(trx: Db, userId: string, limit: number): Promise<number> {
  const own = await trx
    .deleteFrom('notifications')
    .where('id', 'in', (eb) => eb.selectFrom('notifications').select('id').where('user_id', '=', userId).limit(limit))
    .executeTakeFirstOrThrow()
  let left = limit - Number(own.numDeletedRows)
  const of = (column: 'actor_id' | 'named_id') =>
    trx.selectFrom('notifications').select('id').where(column, '=', userId).limit(left)
  const deleteLines = async (ids: ReturnType<typeof of>) => {
    if (left === 0) return
    const gone = await trx.deleteFrom('notifications').where('id', 'in', ids).returning(['id', 'user_id']).execute()
    await publishDeletedLines(trx, gone)
    left -= gone.length
  }
  await deleteLines(of('named_id'))
  await deleteLines(of('actor_id').where('named_id', 'is', null))
  if (left > 0) {
    const changed = await trx
      .updateTable('notifications')
      .set({ actor_id: null })
      .where('id', 'in', of('actor_id'))
      .executeTakeFirstOrThrow()
    left -= Number(changed.numUpdatedRows)
  }
  return limit - left
}

/** Deletes the member's devices and settings. Call it inside a transaction. */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('push_subscriptions').where('user_id', '=', userId).execute()
  await trx.deleteFrom('digests').where('user_id', '=', userId).execute()
  await trx.deleteFrom('notice_settings').where('user_id', '=', userId).execute()
}
