import type { Db, Trx } from '#db/client.ts'
import { undoDeletion } from '#db/undone-deletions.ts'
import { endSecrets, hashSecret, listSecrets } from '#features/secrets/secrets.server.ts'
import { AppError, forbidden, notFound } from '#lib/errors.ts'
import { DAY_MS } from '#lib/time.ts'
import { UNDO_DAYS } from '#features/auth/auth.ts'
import { endSessionsOf } from '#features/auth/users.server.ts'
import { forgetAllDevices } from '#features/auth/new-device/devices.server.ts'
import { readChangedWays, type RemovedWay } from '#features/auth/ways/added-ways.server.ts'
import { DISPUTE_LINKS, DISPUTE_TEXTS, type DisputeLink, type LinkKind, type Protection, whyNotNow } from './dispute.ts'
import type { Selectable } from 'kysely'
import type { SignInAlertsTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { DISOWN_TEXTS } from '#features/auth/new-device/new-device.ts'
import { assertRecentSignIn, type AuthenticatedMember } from '#features/auth/recent-auth/recent-auth.ts'
import { logSecurityEvent } from '#features/auth/security-log/security-log.server.ts'

const UNDO_MS = UNDO_DAYS * DAY_MS

/** How an account stands against who may have taken it over. */
interface Standing extends Protection {
  email: string | null
  /** What was added later is void in a dispute. What an account was opened with is as old as it. */
  since: number
  /** What a dispute would leave beside the ways in of before: the oldest address of the last UNDO_DAYS; null where nobody could come in any more. */
  left: { email: string | null } | null
  /** Ways in of before that were removed: a dispute gives them back. */
  removed: RemovedWay[]
}

/** A sign-in is no way in that was added, nor is a new account's first address. */
export async function readStanding(db: Db, userId: string, now = Date.now()): Promise<Standing> {
  const found = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()
  // Nothing keeps an account that is gone.
  const user = found ?? { email: null, created_at: now, disputed_at: null }
  const changes = await db
    .selectFrom('email_changes')
    .select(['previous_email', 'confirmed_at'])
    .where('user_id', '=', userId)
    .where('confirmed_at', '>', now - UNDO_MS)
    .execute()
  const keys = await db
    .selectFrom('passkeys')
    .select('created_at')
    .where('user_id', '=', userId)
    .unionAll(db.selectFrom('oauth_accounts').select('created_at').where('user_id', '=', userId))
    .execute()
  const codes = await listSecrets(db, 'recovery-code', { user_id: userId })
  const since = Math.max(now - UNDO_MS, user.created_at)
  const { added: additions, removed } = await readChangedWays(db, userId, now - UNDO_MS)
  const hasOldKey = [...keys, ...removed.map(({ row }) => row)].some(({ created_at }) => created_at <= since)
  const [first, second] = changes.toSorted((a, b) => a.confirmed_at! - b.confirmed_at!)
  // An address that was added where there was none is void, and those that took its place.
  const email = first ? (first.previous_email ?? (hasOldKey ? null : (second?.previous_email ?? null))) : user.email
  const isNew = user.created_at > now - UNDO_MS
  const added = [
    ...[...[...keys, ...codes].map(({ created_at }) => created_at), ...additions].filter((at) => at > since),
    ...changes.flatMap((change) => (isNew && change.previous_email === null ? [] : change.confirmed_at!)),
  ]
  const isDisputed = user.disputed_at !== null && user.disputed_at > now - UNDO_MS
  return {
    email: user.email,
    since,
    left: email === null && !hasOldKey ? null : { email },
    removed: removed.filter(({ row }) => row.created_at <= since),
    disputedUntil: isDisputed ? user.disputed_at! + UNDO_MS : null,
    addedUntil: added.length > 0 ? Math.max(...added) + UNDO_MS : null,
  }
}

/**
 * Puts an account in dispute, of which somebody has said by a mailed link that it was not they who used it: nothing that whoever did so
 * has made opens it any more, what they removed does again, and a deletion that waits is undone. Where neither a way in of before nor an address would be left, only its
 * sessions and links end. Call it inside a transaction.
 */
export async function putInDispute(trx: Trx, userId: string, now: number): Promise<void> {
  await endSessionsOf(trx, userId)
  const { email, left, since, removed } = await readStanding(trx, userId, now)
  const alerts = trx.updateTable('sign_in_alerts').where('user_id', '=', userId).where('used_at', 'is', null)
  await alerts.set({ used_at: now }).execute()
  await undoDeletion(trx, userId)
  await endSecrets(trx, 'undo-deletion', { user_id: userId })
  if (left === null) return
  const changes = await trx.deleteFrom('email_changes').where('user_id', '=', userId).returningAll().execute()
  const addresses = [email, left.email, ...changes.flatMap((change) => [change.email, change.previous_email])]
  const mailed = addresses.map((address) => address ?? '')
  await trx.deleteFrom('sign_in_tokens').where('email', 'in', mailed).execute()
  await endSecrets(trx, ['recovery-code', 'passkey-register', 'passkey-confirm'], { user_id: userId })
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).where('created_at', '>', since).execute()
  await trx.deleteFrom('oauth_accounts').where('user_id', '=', userId).where('created_at', '>', since).execute()
  for (const way of removed) {
    const restored =
      way.table === 'passkeys'
        ? trx.insertInto('passkeys').values(way.row)
        : trx.insertInto('oauth_accounts').values(way.row)
    await restored.onConflict((conflict) => conflict.doNothing()).execute()
  }
  await forgetAllDevices(trx, userId)
  await trx.updateTable('users').set({ email: left.email, disputed_at: now }).where('id', '=', userId).execute()
}

/** Call it before an address is changed, and before a deletion is asked for. @throws AppError 409 */
export async function assertNotDisputed(db: Db, userId: string, now = Date.now()): Promise<void> {
  const { disputedUntil } = await readStanding(db, userId, now)
  if (disputedUntil !== null) throw new AppError(409, DISPUTE_TEXTS.frozen(disputedUntil))
}

/** Call it before an account is deleted at once. @throws AppError 409 */
export async function assertErasableNow(db: Db, userId: string, now = Date.now()): Promise<void> {
  const reason = whyNotNow(await readStanding(db, userId, now))
  if (reason !== null) throw new AppError(409, reason)
}

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
