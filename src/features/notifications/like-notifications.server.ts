import { sql } from 'kysely'
import type { Trx } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { prepareQuery } from '#db/prepared.ts'
import { hasCause } from '#db/content.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { describe } from './kinds.ts'
import { publishBellChange } from './notifications.server.ts'
import { rememberRetractedLike } from './retracted-likes.server.ts'

/** The columns of a dog that notifications need. `votes` is without the like that was taken back, and with those that were added. */
export interface LikedDog {
  id: string
  votes: number
  owner_id: string | null
  discoverer_id: string | null
}

/** Whom a like or a comment of `actorId` notifies: the dog's owner and discoverer, but never the actor. */
export const recipientsOf = (dog: Pick<LikedDog, 'owner_id' | 'discoverer_id'>, actorId: string): string[] =>
  [...new Set([dog.owner_id, dog.discoverer_id].filter((id) => id !== null))].filter((id) => id !== actorId)

const selectLike = prepareQuery((db, { dogId, userId }: { dogId: string; userId: string }) =>
  db.selectFrom('dog_likes_all').select('id').where('dog_id', '=', dogId).where('user_id', '=', userId),
)

/** The likes since `since` (ms) that a notification counts. The recipient's own like counts on the dog, but not here. */
async function countOthersLikes(trx: Trx, dog: LikedDog, userId: string, since: number): Promise<number> {
  if (since > 0) {
    return countRows(
      trx
        .selectFrom('dog_likes_all')
        .where((eb) => eb.not(hasCause('deletion')))
        .where('dog_id', '=', dog.id)
        .where('created_at', '>=', since)
        .where('user_id', '!=', userId),
    )
  }
  return dog.votes - (await selectLike(trx, { dogId: dog.id, userId })).length
}

/** By the partial unique index notifications_likes, which is used only for a literal type. */
const selectLikeNotification = prepareQuery((db, { userId, dogId }: { userId: string; dogId: string }) =>
  db
    .selectFrom('notifications_all')
    .select(['id', 'actor_id', 'is_read', 'created_at', 'likes_since'])
    .where('type', '=', sql.lit('like'))
    .where('user_id', '=', userId)
    .where('dog_id', '=', dogId),
)

const findLikeNotification = async (trx: Trx, userId: string, dogId: string) =>
  (await selectLikeNotification(trx, { userId, dogId }))[0]

/**
 * Updates the notifications of the dog's owner and discoverer after a like was removed.
 * @param given the member whose like it was, and when it was given, ms
 */
export async function updateOnUnlike(
  trx: Trx,
  given: { actorId: string; likedAt: number },
  dog: LikedDog,
  now = Date.now(),
): Promise<void> {
  const { actorId, likedAt } = given
  for (const userId of recipientsOf(dog, actorId)) {
    const before = await findLikeNotification(trx, userId, dog.id)
    if (!before) continue
    const wasRead = before.is_read === 1 || likedAt < before.likes_since
    const like = { likedAt, notifiedAt: before.created_at, wasRead }
    await rememberRetractedLike(trx, [userId, actorId, dog.id], like, now)
    await refreshLikeNotification(trx, userId, dog)
  }
}

/** The newest liker of a dog since `since` (ms) with whom the member has no block. */
async function findNewestLiker(trx: Trx, userId: string, dogId: string, since: number) {
  return trx
    .selectFrom('dog_likes as l')
    .innerJoin('profiles as p', 'p.id', 'l.user_id')
    .select(['p.id', 'l.created_at'])
    .where('l.dog_id', '=', dogId)
    .where('l.created_at', '>=', since)
    .where('l.user_id', '!=', userId)
    .where(visibleTo(userId, 'likes').of('l.user_id'))
    .orderBy('l.created_at', 'desc')
    .orderBy('l.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Rewrites the member's notification of the dog's likes with the newest liker with whom they have no block. Where no likes
 * since it was read are left, it is read again, with all likes. It is deleted where nobody likes the dog.
 */
export async function refreshLikeNotification(trx: Trx, userId: string, dog: LikedDog): Promise<void> {
  const before = await findLikeNotification(trx, userId, dog.id)
  if (!before) return
  const newLiker = await findNewestLiker(trx, userId, dog.id, before.likes_since)
  const isNewSinceRead = newLiker !== undefined || before.likes_since === 0
  const newest = isNewSinceRead ? newLiker : await findNewestLiker(trx, userId, dog.id, 0)
  const count = await countOthersLikes(trx, dog, userId, isNewSinceRead ? before.likes_since : 0)
  if (!newest || count <= 0) {
    await trx.deleteFrom('notifications_all').where('id', '=', before.id).execute()
    await publishBellChange(trx, userId, { gone: before.id })
    return
  }
  const { title, content } = describe('like', { likes: count })
  // `actor_id` stays while the notification is new, so that giving the same like again does not notify.
  const state = isNewSinceRead
    ? { named_id: newest.id === before.actor_id ? null : newest.id }
    : { is_read: 1 as const, created_at: newest.created_at, actor_id: newest.id, named_id: null, likes_since: 0 }
  await trx
    .updateTable('notifications_all')
    .set({ content, title, ...state })
    .where('id', '=', before.id)
    .execute()
  await publishBellChange(trx, userId, { id: before.id })
}
