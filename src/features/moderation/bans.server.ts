import type { Db, Trx } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { forbidden, sessionEnded } from '#lib/errors.ts'
import { formatBanMessage } from './moderation.ts'

export interface Ban {
  /** Milliseconds since 1970; null for a permanent ban. */
  until: number | null
  reason: string
}

/** The member's ban at `now` (milliseconds); one look-up by primary key. */
export async function findActiveBan(db: Db, userId: string, now = Date.now()): Promise<Ban | undefined> {
  const ban = await db.selectFrom('bans').select(['until', 'reason']).where('user_id', '=', userId).executeTakeFirst()
  return ban && (ban.until === null || ban.until > now) ? ban : undefined
}

const selectAccountState = prepareQuery((db, { id }: { id: string }) =>
  db
    .selectFrom('users as u')
    .leftJoin('account_erasures as e', 'e.user_id', 'u.id')
    .leftJoin('account_deletions as d', 'd.user_id', 'u.id')
    .leftJoin('bans as b', 'b.user_id', 'u.id')
    .select(['e.user_id as erasedId', 'd.user_id as leavingId', 'b.user_id as bannedId', 'b.until'])
    .where('u.id', '=', id),
)

/**
 * Call it before every write that others would see, in its transaction: the account may have been deleted since the request
 * began, be in the middle of its deletion, or wait for it, which would then miss what is written.
 * @throws AppError 401 without an account; 403 with the end of the ban
 */
export async function assertNotBanned(db: Db, userId: string, now = Date.now()): Promise<void> {
  const [account] = await selectAccountState(db, { id: userId })
  if (!account || account.erasedId !== null || account.leavingId !== null) throw sessionEnded()
  const { bannedId, until } = account
  if (bannedId !== null && (until === null || until > now)) throw forbidden(formatBanMessage(until))
}

/**
 * Bans a member from writing until `until` (milliseconds; null: permanently); a second ban replaces the first. What they wrote
 * stays published.
 */
export async function ban(trx: Trx, userId: string, { until, reason }: Ban, now = Date.now()): Promise<void> {
  await trx
    .insertInto('bans')
    .values({ user_id: userId, until, reason, created_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ until, reason, created_at: now }))
    .execute()
}

/** Lifts the ban. */
export async function unban(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('bans').where('user_id', '=', userId).execute()
}
