import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import { lockMembers } from '#db/locks.ts'
import type { SignInAlertsTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { type AuthenticatedMember, assertRecentSignIn } from '#features/auth/recent-auth/recent-auth.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'
import { hashSecret } from '#features/auth/token-hashes.server.ts'
import { takeBackWaysSince } from '#features/auth/ways/ways-since.server.ts'
import { AppError, forbidden, notFound } from '#lib/errors.ts'
import { DAY_MS } from '#lib/time.ts'
import { forgetDevice } from './account-devices.server.ts'
import { DISOWN_DAYS, DISOWN_TEXTS, type NewDeviceSignIn } from './new-device.ts'

// «No he sido yo»: ends the session of a sign-in with all that followed from it, and forgets its device.

type Alert = Selectable<SignInAlertsTable>

export type DisownState = { state: 'open'; signIns: NewDeviceSignIn[] } | { state: 'used' | 'late' | 'unknown' }

/** What a mailed link leads to, without using it: mail scanners open its page too. */
export const inspectDisownLink = async (db: Db, token: string, now = Date.now()): Promise<DisownState> =>
  toDisownState(await findAlerts(db, token), now)

const findAlerts = (db: Db, token: string): Promise<Alert[]> =>
  db
    .selectFrom('sign_in_alerts')
    .selectAll()
    .where('token_hash', '=', hashSecret(token))
    .orderBy('created_at')
    .orderBy('id')
    .execute()

function toDisownState(alerts: readonly Alert[], now: number): DisownState {
  if (alerts.length === 0) return { state: 'unknown' }
  const open = alerts.filter(({ used_at }) => used_at === null)
  if (open.length === 0) return { state: 'used' }
  const isLate = open.every(({ sent_at }) => sent_at !== null && sent_at <= now - DISOWN_DAYS * DAY_MS)
  return isLate ? { state: 'late' } : { state: 'open', signIns: open }
}

/**
 * Ends the sessions that a mail names, for anyone with its link. It works once.
 * @throws AppError 404 for an unknown link, 409 for a used one, 410 after DISOWN_DAYS
 */
export async function disownByLink(db: Db, token: string, now = Date.now()): Promise<void> {
  await transact(db, async (trx) => {
    const [first] = await findAlerts(trx, token)
    if (first) await lockMembers(trx, [first.user_id], 'change')
    const alerts = await findAlerts(trx, token)
    const { state } = toDisownState(alerts, now)
    if (state === 'unknown') throw notFound(DISOWN_TEXTS.dead)
    if (state === 'used') throw new AppError(409, DISOWN_TEXTS.used)
    if (state === 'late') throw new AppError(410, DISOWN_TEXTS.late)
    for (const alert of alerts) if (alert.used_at === null) await disown(trx, alert, now)
  })
}

/**
 * Ends the session, and those opened since: whoever came in may have made themselves other ways in meanwhile, on a device that was then
 * known. The passkeys, recovery codes and linked providers of since are such ways.
 * @param askerId the session of the member who says so, which stays
 */
async function disown(trx: Db, alert: Alert, now: number, askerId = ''): Promise<void> {
  const { id, user_id, session_id, device_id, device, created_at } = alert
  await trx.updateTable('sign_in_alerts').set({ used_at: now }).where('id', '=', id).execute()
  await trx
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .where('id', '!=', askerId)
    .where((eb) => eb.or([eb('public_id', '=', session_id), eb('created_at', '>=', created_at)]))
    .execute()
  await takeBackWaysSince(trx, user_id, created_at)
  await forgetDevice(trx, user_id, device_id)
  await logSecurityEvent(trx, user_id, 'session-disowned', { device: device || null }, now)
}

/**
 * The same from the member's list of sessions.
 * @param publicId of a session whose device was new
 * @param sessionId the session that asks
 * @returns whether it was that one
 * @throws AppError 403 for somebody else's session, and for another than its own without recent authentication; 404 for one that has ended
 *   or whose device was not new
 */
export function disownSession(
  db: Db,
  member: AuthenticatedMember,
  publicId: string,
  sessionId: string,
  now = Date.now(),
): Promise<boolean> {
  return transact(db, async (trx) => {
    await lockMembers(trx, [member.id], 'change')
    const session = await trx
      .selectFrom('sessions')
      .select(['id', 'user_id'])
      .where('public_id', '=', publicId)
      .executeTakeFirst()
    if (!session) throw notFound(DISOWN_TEXTS.missing)
    if (session.user_id !== member.id) throw forbidden(DISOWN_TEXTS.notYours)
    if (session.id !== sessionId) assertRecentSignIn(member, now)
    const alert = await trx
      .selectFrom('sign_in_alerts')
      .selectAll()
      .where('user_id', '=', member.id)
      .where('session_id', '=', publicId)
      .where('used_at', 'is', null)
      .executeTakeFirst()
    if (!alert) throw notFound(DISOWN_TEXTS.missing)
    const isAsker = session.id === sessionId
    await disown(trx, alert, now, isAsker ? '' : sessionId)
    return isAsker
  })
}
