import type { Selectable } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import type { OauthAccountsTable, PasskeysTable } from '#db/schema.ts'
import { raiseAlert } from '#features/auth/new-device/sign-in-alerts.server.ts'
import type { AuthenticatedMember } from '#features/auth/recent-auth/recent-auth.ts'
import type { SecurityEvent } from '#features/auth/security-log/security-log.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { sessionEnded } from '#lib/errors.ts'

/**
 * Records a way in that was added to an account, and notifies its addresses, but of what the account is opened with. Call it in the
 * transaction that adds it.
 * @throws AppError 401 where a deletion or a dispute has ended the session that adds it
 */
export async function recordAddedWay(
  trx: Trx,
  { id, authenticatedAt }: AuthenticatedMember,
  event: SecurityEvent,
  { detail = null, device = null }: { detail?: string | null; device?: string | null },
  now: number,
): Promise<void> {
  const user = await trx
    .selectFrom('users')
    .select(['created_at', 'disputed_at'])
    .where('id', '=', id)
    .where(visibleTo(null, 'presence').of('users.id'))
    .executeTakeFirst()
  if (!user || (user.disputed_at !== null && authenticatedAt <= user.disputed_at)) throw sessionEnded()
  await logSecurityEvent(trx, id, event, { detail, device }, now)
  if (user.created_at < now) await raiseAlert(trx, id, { event, detail }, now)
}

/** A way in that was removed: what a dispute within UNDO_DAYS gives back. */
export type RemovedWay =
  | { table: 'passkeys'; row: Selectable<PasskeysTable> }
  | { table: 'oauth_accounts'; row: Selectable<OauthAccountsTable> }

/**
 * Records a way in that was removed from an account, and notifies its addresses: a stolen mailbox alone takes nobody's key away. Call it in the
 * transaction that removes it.
 */
export async function recordRemovedWay(trx: Trx, event: SecurityEvent, detail: string, way: RemovedWay, now: number) {
  await logSecurityEvent(trx, way.row.user_id, event, { detail }, now)
  await raiseAlert(trx, way.row.user_id, { event, detail, removed: JSON.stringify(way) }, now)
}

const ADDITIONS: readonly SecurityEvent[] = ['passkey-added', 'provider-linked', 'recovery-codes-created']

/** When ways in were added since `since`, ms, also what is gone again, and what was removed that a dispute gives back. */
export async function readChangedWays(db: Db, userId: string, since: number) {
  const alerts = await db
    .selectFrom('sign_in_alerts')
    .select(['event', 'created_at', 'removed', 'used_at'])
    .where('user_id', '=', userId)
    .where('created_at', '>', since)
    .execute()
  // Each address has its own alert of the same.
  const removed = new Set(alerts.filter(({ used_at }) => used_at === null).flatMap(({ removed }) => removed ?? []))
  return {
    added: alerts.filter(({ event }) => ADDITIONS.includes(event as SecurityEvent)).map(({ created_at }) => created_at),
    removed: [...removed].map((way) => JSON.parse(way) as RemovedWay),
  }
}
