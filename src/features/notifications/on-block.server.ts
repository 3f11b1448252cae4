import type { Db } from '#db/client.ts'
import { refreshLikeNotification } from './like-notifications.server.ts'
import { publishDeletedLines } from './notifications.server.ts'

/** Two members who do not meet any more: neither's bell tells of the other. Call it in the transaction that parts them. */
export async function deleteMutualNotifications(trx: Db, oneId: string, otherId: string): Promise<void> {
  await deleteNotificationsAbout(trx, oneId, otherId)
  await deleteNotificationsAbout(trx, otherId, oneId)
}

/** Takes what `actorId` did from the member's bell; a line of several people's likes names another of them. */
async function deleteNotificationsAbout(trx: Db, userId: string, actorId: string): Promise<void> {
  const gone = await trx
    .deleteFrom('notifications')
    .where('user_id', '=', userId)
    .where('actor_id', '=', actorId)
    .where('type', '!=', 'like')
    .returning(['id', 'user_id'])
    .execute()
  await publishDeletedLines(trx, gone)
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
