import type { Trx } from '#db/client.ts'
import { publishDeletedNotifications } from './notifications.server.ts'

/**
 * Deletes the member's own notifications and others' that name the member, at most `limit`. A notification of grouped likes that
 * names somebody else after the member's likes are erased stays, without its actor. Call it after likes are erased, inside a
 * transaction.
 * @returns how many it deleted or changed
 */
export async function eraseNotifications(trx: Trx, userId: string, limit: number): Promise<number> {
  const own = await trx
    .deleteFrom('notifications_all')
    .where('id', 'in', (eb) =>
      eb.selectFrom('notifications_all').select('id').where('user_id', '=', userId).limit(limit),
    )
    .executeTakeFirstOrThrow()
  const left = limit - Number(own.numDeletedRows)
  return limit - left + (await eraseNotificationsAbout(trx, userId, left))
}

/** The same for those of others alone, and of these the likes alone for an account that may come back: the rest is out of sight (VIEWS). */
export async function eraseNotificationsAbout(trx: Trx, userId: string, limit: number, type?: 'like'): Promise<number> {
  let left = limit
  const of = (column: 'actor_id' | 'named_id') =>
    trx
      .selectFrom('notifications_all')
      .select('id')
      .where(column, '=', userId)
      .$if(type !== undefined, (of) => of.where('type', '=', 'like'))
      .limit(left)
  const deleteBatch = async (ids: ReturnType<typeof of>) => {
    if (left === 0) return
    const gone = await trx.deleteFrom('notifications_all').where('id', 'in', ids).returning(['id', 'user_id']).execute()
    await publishDeletedNotifications(trx, gone)
    left -= gone.length
  }
  await deleteBatch(of('named_id'))
  await deleteBatch(of('actor_id').where('named_id', 'is', null))
  if (left > 0) {
    const changed = await trx
      .updateTable('notifications_all')
      .set({ actor_id: null })
      .where('id', 'in', of('actor_id'))
      .executeTakeFirstOrThrow()
    left -= Number(changed.numUpdatedRows)
  }
  return limit - left
}
