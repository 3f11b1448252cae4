import type { Db } from '#db/client.ts'
import { decideBadges } from './decide.server.ts'
import type { Decided } from './decide.ts'

/**
 * A member's badges and challenges as they are now: from the rows, or, while the member waits in the queue, decided from their dogs. So a
 * badge is gone with its dog at once, and no request writes.
 */
export async function loadBadges(db: Db, userId: string): Promise<Decided> {
  const queued = await db.selectFrom('badge_queue').select('user_id').where('user_id', '=', userId).executeTakeFirst()
  if (queued) return decideBadges(db, userId)
  const badges = await db.selectFrom('badges').selectAll().where('user_id', '=', userId).execute()
  const weeks = await db
    .selectFrom('challenge_entries')
    .select(['week', 'dog_id', 'joined_at'])
    .where('user_id', '=', userId)
    .orderBy('joined_at')
    .execute()
  return {
    badges: badges.map(({ badge, progress, dog_id, earned_at }) => ({
      badge,
      progress,
      dogId: dog_id,
      earnedAt: earned_at,
    })),
    weeks: weeks.map(({ week, dog_id, joined_at }) => ({ week, dogId: dog_id, joinedAt: joined_at })),
  }
}

/** Whether the member did a week's challenge. */
export const hasDoneWeek = async (db: Db, userId: string, week: number): Promise<boolean> =>
  (await loadBadges(db, userId)).weeks.some((done) => done.week === week)
