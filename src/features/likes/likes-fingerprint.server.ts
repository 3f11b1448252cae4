import type { Db } from '#db/client.ts'
import { isSharedByNodes } from '#db/dialect/dialect.ts'
import { prepareQuery } from '#db/prepared.ts'
import { fingerprintLikes, LIKED_MAX, UNKNOWN_LIKES } from './likes.ts'

const selectAllLiked = prepareQuery((db, { userId, limit }: { userId: string; limit: number }) =>
  db.selectFrom('dog_likes').select('dog_id').where('user_id', '=', userId).limit(limit),
)

/** All dogs that the member likes, by index `dog_likes_user`; null where there are more than `max`. */
export async function findAllLikedIds(db: Db, userId: string, max: number): Promise<Set<string> | null> {
  const rows = await selectAllLiked(db, { userId, limit: max + 1 })
  return rows.length > max ? null : new Set(rows.map(({ dog_id }) => dog_id))
}

/** `fingerprintLikes` of all dogs that the member likes; UNKNOWN_LIKES on PostgreSQL, where pages are composed without reading them all. */
export async function findLikesFingerprint(db: Db, userId: string): Promise<string> {
  const liked = isSharedByNodes(db) ? null : await findAllLikedIds(db, userId, LIKED_MAX)
  return liked ? fingerprintLikes(liked) : UNKNOWN_LIKES
}
