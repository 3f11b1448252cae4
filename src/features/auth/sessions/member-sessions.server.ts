import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { MAX_SESSION_DAYS, MAX_SESSIONS_SHOWN, type OpenSession } from '#features/auth/auth.ts'
import { type AuthenticatedMember, assertRecentSignIn } from '#features/auth/recent-auth/recent-auth.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { forbidden, notFound } from '#lib/errors.ts'
import { DAY_MS } from '#lib/time.ts'
import { toSessionId } from './sessions.server.ts'

// The sessions that a member sees, and ends.

const MAX_SESSION_MS = MAX_SESSION_DAYS * DAY_MS

/** Ends all sessions of the member. @throws AppError 403 without recent authentication */
export async function endAllSessions(db: Db, member: AuthenticatedMember): Promise<void> {
  assertRecentSignIn(member)
  await transact(db, async (trx) => {
    await trx.deleteFrom('sessions').where('user_id', '=', member.id).execute()
    await logSecurityEvent(trx, member.id, 'all-sessions-ended')
  })
}

/**
 * The operator ends the sessions of a member, whose log says so, or of everybody, which no log of theirs does: there may be a million.
 * @returns how many were open
 */
export const signOutMembers = (db: Db, userId: string | 'everybody', now = Date.now()): Promise<number> =>
  transact(db, async (trx) => {
    const ended = await trx
      .deleteFrom('sessions')
      .$if(userId !== 'everybody', (query) => query.where('user_id', '=', userId))
      .returning('expires_at')
      .execute()
    if (userId !== 'everybody') await logSecurityEvent(trx, userId, 'all-sessions-ended', {}, now)
    return ended.filter(({ expires_at }) => expires_at * 1000 > now).length
  })

/** The open sessions of a member, the latest first, by index `sessions_user`; `token` is the asking browser's own. */
export async function listOpenSessions(
  db: Db,
  userId: string,
  token: string | undefined,
  limit = MAX_SESSIONS_SHOWN,
): Promise<OpenSession[]> {
  const own = token === undefined ? null : toSessionId(token)
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'public_id', 'device', 'created_at', 'expires_at'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('sign_in_alerts as a')
          .select('a.id')
          .where('a.user_id', '=', userId)
          .whereRef('a.session_id', '=', 'sessions.public_id')
          .where('a.used_at', 'is', null),
      ).as('is_new'),
    )
    .where('user_id', '=', userId)
    .where('expires_at', '>', Math.floor(Date.now() / 1000))
    .where('created_at', '>', Date.now() - MAX_SESSION_MS)
    .orderBy('created_at', 'desc')
    .orderBy('public_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.public_id,
    device: row.device,
    created_at: row.created_at || null,
    expires_at: Math.min(row.expires_at * 1000, row.created_at + MAX_SESSION_MS),
    current: row.id === own,
    new_device: Boolean(row.is_new),
  }))
}

/**
 * Ends one session of the member, named by its public id; true when it was the one that `token` opens.
 * @throws AppError 404 for one that is not open; 403 for somebody else's, and for another than its own without recent authentication
 */
export async function endSessionById(
  db: Db,
  member: AuthenticatedMember,
  publicId: string,
  token: string | undefined,
): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select(['id', 'user_id', 'device'])
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  if (!row) throw notFound('Esa sesión ya está cerrada.')
  if (row.user_id !== member.id) throw forbidden('Solo puedes cerrar tus propias sesiones.')
  const isCurrent = token !== undefined && row.id === toSessionId(token)
  if (!isCurrent) assertRecentSignIn(member)
  await transact(db, async (trx) => {
    await trx.deleteFrom('sessions').where('id', '=', row.id).execute()
    const event = isCurrent ? 'sign-out' : 'session-ended'
    await logSecurityEvent(trx, member.id, event, { device: row.device })
  })
  return isCurrent
}
