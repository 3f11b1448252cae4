import type { Db } from '#db/client.ts'
import { unrecorded } from '#db/table-changes.ts'
import { isQueued } from '#features/outbox/jobs.server.ts'
import { decideBadges } from './decide.server.ts'
import type { Decided } from './decide.ts'

/** Members wait in it for their badges to be decided. */
export const BADGES_TOPIC = 'badges'

/**
 * A member's badges and challenges as they are now: from the rows, or, while the member waits in the queue, decided from their dogs. So a
 * badge is gone with its dog at once, and no request writes.
 */
export async function loadBadges(db: Db, userId: string): Promise<Decided> {
  if (await isDecidedAtRead(db, userId)) return decideBadges(db, userId)
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

/** Whether the member did a week's challenge: by the entries' primary key, unless they wait in the queue. */
export async function hasDoneWeek(db: Db, userId: string, week: number): Promise<boolean> {
  if (await isDecidedAtRead(db, userId))
    return (await decideBadges(db, userId)).weeks.some((done) => done.week === week)
  const entry = await db
    .selectFrom('challenge_entries')
    .select('week')
    .where('week', '=', week)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return entry !== undefined
}

/** Members with more dogs have their badges as the job decided them last, a minute ago at most: each of their pages would read all of these dogs. */
const DECIDED_AT_READ_MAX_DOGS = 500

/** Whether the member waits in the queue, and has so few dogs that a page can decide their badges. */
async function isDecidedAtRead(db: Db, userId: string): Promise<boolean> {
  if (!(await unrecorded(() => isQueued(db, BADGES_TOPIC, userId)))) return false
  const profile = await db.selectFrom('profiles').select('dogs_count').where('id', '=', userId).executeTakeFirst()
  return (profile?.dogs_count ?? 0) <= DECIDED_AT_READ_MAX_DOGS
}
