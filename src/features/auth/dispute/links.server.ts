import type { Selectable } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import type { SignInAlertsTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { UNDO_DAYS } from '#features/auth/auth.ts'
import { DISOWN_TEXTS } from '#features/auth/new-device/new-device.ts'
import { type AuthenticatedMember, assertRecentSignIn } from '#features/auth/recent-auth/recent-auth.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { hashSecret } from '#features/secrets/secrets.server.ts'
import { AppError, forbidden, notFound } from '#lib/errors.ts'
import { DAY_MS } from '#lib/time.ts'
import { putInDispute, readStanding } from './dispute.server.ts'
import { DISPUTE_LINKS, type DisputeLink, type LinkKind } from './links.ts'

// «No he sido yo»: whoever is told of a sign-in, or of a way in that was added, puts the account in dispute.

type Alert = Selectable<SignInAlertsTable>

/** What a mailed link leads to, without using it: mail scanners open its page too. */
export async function inspectDisputeLink(db: Db, token: string, now = Date.now()): Promise<DisputeLink> {
  const alerts = await findAlerts(db, token)
  const [open] = alerts.filter(({ used_at }) => used_at === null)
  if (!open) return { state: alerts.length > 0 ? 'used' : 'unknown' }
  if (open.sent_at !== null && open.sent_at <= now - UNDO_DAYS * DAY_MS) return { state: 'late' }
  const { email, left } = await readStanding(db, open.user_id, now)
  return { state: 'open', alerts, email, previous: left === null ? email : left.email }
}

const findAlerts = (db: Db, token: string): Promise<Alert[]> =>
  db
    .selectFrom('sign_in_alerts')
    .selectAll()
    .where('token_hash', '=', hashSecret(token))
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/**
 * Puts the account in dispute, for anyone with the link of a mail about it. It works once.
 * @throws AppError 404 for an unknown link, and for a used one of the kind `undo`; 409 for a used one; 410 after UNDO_DAYS
 */
export async function disputeByLink(db: Db, kind: LinkKind, token: string, now = Date.now()): Promise<void> {
  await transact(db, async (trx) => {
    const [alert] = await findAlerts(trx, token)
    const { state } = await inspectDisputeLink(trx, token, now)
    if (state !== 'open') throw new AppError(DISPUTE_LINKS[kind][state][0], DISPUTE_LINKS[kind][state][2])
    await dispute(trx, alert!, now)
  })
}

async function dispute(trx: Trx, { user_id, event, device }: Alert, now: number): Promise<void> {
  await putInDispute(trx, user_id, now)
  if (event === 'email-changed') await logSecurityEvent(trx, user_id, 'email-restored', {}, now)
  else await logSecurityEvent(trx, user_id, 'session-disowned', { device: device || null }, now)
}

/**
 * The same from the member's list of sessions: it ends the one that asks as well.
 * @param publicId of a session whose device was new
 * @throws AppError 403 for somebody else's session, and without recent authentication; 404 for one that has ended or whose device was not new
 */
export function disownSession(db: Db, member: AuthenticatedMember, publicId: string, now = Date.now()): Promise<void> {
  return transact(db, async (trx) => {
    const session = await trx
      .selectFrom('sessions')
      .select('user_id')
      .where('public_id', '=', publicId)
      .executeTakeFirst()
    if (!session) throw notFound(DISOWN_TEXTS.missing)
    if (session.user_id !== member.id) throw forbidden(DISOWN_TEXTS.notYours)
    assertRecentSignIn(member, now)
    const alert = await trx
      .selectFrom('sign_in_alerts')
      .selectAll()
      .where('user_id', '=', member.id)
      .where('session_id', '=', publicId)
      .where('used_at', 'is', null)
      .executeTakeFirst()
    if (!alert) throw notFound(DISOWN_TEXTS.missing)
    await dispute(trx, alert, now)
  })
}
