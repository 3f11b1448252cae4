import type { Db } from '#db/client.ts'
import { renameLikes } from './likes.server.ts'
import { tell } from './notifications.server.ts'

/** Two members who do not meet any more: neither's bell tells of the other. Call it in the transaction that parts them. */
export async function partBells(trx: Db, oneId: string, otherId: string): Promise<void> {
  await forget(trx, oneId, otherId)
  await forget(trx, otherId, oneId)
}

/** Takes what `actorId` did from the member's bell; a line of several people's likes names another of them. */
async function forget(trx: Db, userId: string, actorId: string): Promise<void> {
  const gone = await trx
    .deleteFrom('notifications')
    .where('user_id', '=', userId)
    .where('actor_id', '=', actorId)
    .where('type', '!=', 'like')
    .returning('id')
    .execute()
  for (const { id } of gone) await tell(trx, userId, { gone: id })
  const liked = await trx
    .selectFrom('dog_likes as l')
    .innerJoin('member_dogs as m', 'm.dog_id', 'l.dog_id')
    .innerJoin('dogs as d', 'd.id', 'l.dog_id')
    .select(['d.id', 'd.name', 'd.votes', 'd.owner_id', 'd.discoverer_id'])
    .where('l.user_id', '=', actorId)
    .where('m.user_id', '=', userId)
    .execute()
  for (const dog of liked) await renameLikes(trx, userId, dog)
}
