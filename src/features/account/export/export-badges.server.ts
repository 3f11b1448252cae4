import type { Db } from '#db/client.ts'
import { toIsoString } from './export-moderation.server.ts'

/** The member's badges, earned or begun. There are no more than the site has. */
export async function* exportBadges(db: Db, userId: string) {
  const rows = await db.selectFrom('badges').selectAll().where('user_id', '=', userId).orderBy('badge').execute()
  for (const { badge, progress, dog_id, earned_at } of rows)
    yield { insignia: badge, progreso: progress, dog_id, conseguida: toIsoString(earned_at) }
}

/** The week's challenges that the member did: at most one a week. */
export async function* exportChallenges(db: Db, userId: string) {
  const rows = await db
    .selectFrom('challenge_entries')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('joined_at')
    .execute()
  for (const { week, dog_id, joined_at } of rows) yield { semana: week, dog_id, created_at: toIsoString(joined_at) }
}
