import type { Db } from '#db/client.ts'
import { lockMembers } from '#db/locks.ts'
import { raiseAlert } from '#features/auth/new-device/sign-in-alerts.server.ts'
import type { AuthenticatedMember } from '#features/auth/recent-auth/recent-auth.ts'
import type { SecurityEvent } from '#features/auth/security-log/security-log.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { sessionEnded } from '#lib/errors.ts'

/**
 * Records a way in that was added to an account, and notifies its addresses, but of what the account is opened with. Call it in the
 * transaction that adds it.
 * @throws AppError 401 where a deletion or a dispute has ended the session that adds it
 */
export async function recordAddedWay(
  trx: Db,
  { id, authenticatedAt }: AuthenticatedMember,
  event: SecurityEvent,
  { detail = null, device = null }: { detail?: string | null; device?: string | null },
  now: number,
): Promise<void> {
  await lockMembers(trx, [id], 'change')
  const user = await trx
    .selectFrom('users')
    .select(['created_at', 'disputed_at'])
    .where('id', '=', id)
    .where('id', 'not in', trx.selectFrom('account_erasures').select('user_id'))
    .where('id', 'not in', trx.selectFrom('account_deletions').select('user_id'))
    .executeTakeFirst()
  if (!user || (user.disputed_at !== null && authenticatedAt <= user.disputed_at)) throw sessionEnded()
  await logSecurityEvent(trx, id, event, { detail, device }, now)
  if (user.created_at < now) await raiseAlert(trx, id, { event, detail }, now)
}
