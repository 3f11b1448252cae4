import type { Db } from '#db/client.ts'
import { refreshLikeNotification } from './like-notifications.server.ts'
import { publishDeletedLines } from './notifications.server.ts'

/** Deletes two members' notifications about each other. Call it in the transaction that adds the block between them. */
export async function deleteMutualNotifications(trx: Db, oneId: string, otherId: string): Promise<void> {
  await deleteNotificationsAbout(trx, oneId, otherId)
  await deleteNotificationsAbout(trx, otherId, oneId)
}

/** Deletes the member's notifications about `actorId`; notifications of likes then name another liker. */
async function deleteNotificationsAbout(trx: Db, userId: string, actorId: string): Promise<void> {
  const deleted = await trx
    .deleteFrom('notifications')
    .where('user_id', '=', userId)
    .where('actor_id', '=', actorId)
    .where('type', '!=', 'like')
    .returning(['id', 'user_id'])
    .execute()
  await publishDeletedLines(trx, deleted)
  const liked = await trx
    .selectFrom('dog_likes as l')
    .innerJoin('member_dogs as m', 'm.dog_id', 'l.dog_id')
    .innerJoin('dogs as d', 'd.id', 'l.dog_id')
    .select(['d.id', 'd.name', 'd.votes', 'd.owner_id', 'd.discoverer_id'])
    .where('l.user_id', '=', actorId)
    .where('m.user_id', '=', userId)
    .execute()
  for (const dog of liked) await refreshLikeNotification(trx, userId, dog)
}
