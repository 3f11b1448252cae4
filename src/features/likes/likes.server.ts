import type { Db } from '#db/client.ts'
import { FALLBACK_ALIAS, FALLBACK_EMOJI } from '#features/profiles/profiles.ts'
import type { Liker } from './likes.ts'

/** The newest likers of a dog, by index `dog_likes_dog`. */
export async function newestLikers(db: Db, dogId: string, limit: number): Promise<Liker[]> {
  const rows = await db
    .selectFrom('dog_likes')
    .leftJoin('profiles', 'profiles.id', 'dog_likes.user_id')
    .select(['dog_likes.user_id as id', 'profiles.alias', 'profiles.emoji'])
    .where('dog_id', '=', dogId)
    .orderBy('dog_likes.created_at', 'desc')
    .orderBy('dog_likes.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ id: row.id, alias: row.alias ?? FALLBACK_ALIAS, emoji: row.emoji ?? FALLBACK_EMOJI }))
}
