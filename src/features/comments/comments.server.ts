import type { Db } from '#db/client.ts'
import { FALLBACK_ALIAS, FALLBACK_EMOJI } from '#features/profiles/profiles.ts'
import type { Comment } from './comments.ts'

/** A dog's newest comments, by index `comments_dog`. */
export async function newestComments(db: Db, dogId: string, limit: number): Promise<Comment[]> {
  const rows = await db
    .selectFrom('comments')
    .leftJoin('profiles', 'profiles.id', 'comments.user_id')
    .select(['comments.id', 'comments.user_id', 'content', 'comments.created_at', 'profiles.alias', 'profiles.emoji'])
    .where('dog_id', '=', dogId)
    .orderBy('comments.created_at', 'desc')
    .orderBy('comments.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, alias: row.alias ?? FALLBACK_ALIAS, emoji: row.emoji ?? FALLBACK_EMOJI }))
}
