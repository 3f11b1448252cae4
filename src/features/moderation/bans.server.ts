import type { Db } from '#db/client.ts'
import { deleteAuthorEvents } from '#features/live/event-history.server.ts'
import { forbidden } from '#lib/errors.ts'
import { formatBanMessage } from './moderation.ts'

export interface Ban {
  /** Milliseconds; null for good. */
  until: number | null
  reason: string
}

/** The ban that holds now, if there is one; one look-up by primary key. */
export async function findActiveBan(db: Db, userId: string, now = Date.now()): Promise<Ban | undefined> {
  const ban = await db.selectFrom('bans').select(['until', 'reason']).where('user_id', '=', userId).executeTakeFirst()
  return ban && (ban.until === null || ban.until > now) ? ban : undefined
}

/** Every deed that others would see asks this first. @throws AppError 403 with the end of the ban */
export async function assertNotBanned(db: Db, userId: string, now = Date.now()): Promise<void> {
  const ban = await findActiveBan(db, userId, now)
  if (ban) throw forbidden(formatBanMessage(ban.until))
}

/**
 * Keeps a member from writing until `until` (milliseconds; null for good), or for another time than before. What they said
 * stays where it stands, and is told to nobody who comes back.
 */
export async function ban(trx: Db, userId: string, { until, reason }: Ban, now = Date.now()): Promise<void> {
  await trx
    .insertInto('bans')
    .values({ user_id: userId, until, reason, created_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ until, reason, created_at: now }))
    .execute()
  await deleteAuthorEvents(trx, userId)
}

/** Lets them write again. */
export async function unban(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('bans').where('user_id', '=', userId).execute()
}
