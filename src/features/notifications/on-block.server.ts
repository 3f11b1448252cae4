import { setImmediate as nextTurn } from 'node:timers/promises'
import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { refreshLikeNotification } from './like-notifications.server.ts'
import { deleteFound } from './notifications.server.ts'

/** Notifications deleted, or notifications of likes rewritten, in one transaction. */
const NOTIFICATIONS_PER_BATCH = 20

/**
 * Deletes two members' notifications about each other, in batches. Call it once the block between them is stored: no new ones
 * come then. A second run continues where a crash interrupted the first.
 */
export async function deleteMutualNotifications(db: Db, oneId: string, otherId: string): Promise<void> {
  await deleteNotificationsAbout(db, oneId, otherId)
  await deleteNotificationsAbout(db, otherId, oneId)
}

/** Deletes the member's notifications about `actorId`; notifications of likes then name another liker. */
async function deleteNotificationsAbout(db: Db, userId: string, actorId: string): Promise<void> {
  await runInBatches(db, NOTIFICATIONS_PER_BATCH, (trx, limit) => {
    const ofMember = trx.selectFrom('notifications_all').select('id').where('user_id', '=', userId)
    return deleteFound(trx, ofMember.where('actor_id', '=', actorId).where('type', '!=', 'like'), limit)
  })
  const liked = await db
    .selectFrom('dog_likes as l')
    .innerJoin('member_dogs as m', 'm.dog_id', 'l.dog_id')
    .select('l.dog_id')
    .where('l.user_id', '=', actorId)
    .where('m.user_id', '=', userId)
    .execute()
  for (let from = 0; from < liked.length; from += NOTIFICATIONS_PER_BATCH) {
    const ids = liked.slice(from, from + NOTIFICATIONS_PER_BATCH).map(({ dog_id }) => dog_id)
    await transact(db, (trx) => refreshLikeNotifications(trx, userId, ids))
    await nextTurn()
  }
}

async function refreshLikeNotifications(trx: Trx, userId: string, dogIds: readonly string[]): Promise<void> {
  const dogs = await trx
    .selectFrom('dogs')
    .select(['id', 'votes', 'owner_id', 'discoverer_id'])
    .where('id', 'in', dogIds)
    .orderBy('id')
    .execute()
  for (const dog of dogs) await refreshLikeNotification(trx, userId, dog)
}
