import { randomBytes, randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { lockMembers } from '#db/locks.ts'
import { transact } from '#db/transact.ts'
import type { MailContent } from '#features/auth/sign-in/sign-in-mail.ts'
import { hashSecret } from '#features/auth/token-hashes.server.ts'
import type { Account } from '#features/auth/users.server.ts'
import { notify } from '#features/notifications/notifications.server.ts'
import { FALLBACK_ALIAS } from '#lib/text/names.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts'
import { buildNewDeviceMail } from './new-device-mail.ts'
import {
  ALERT_MAILS_PER_HOUR,
  ALERTS_IN_BELL_PER_HOUR,
  DISOWN_DAYS,
  toBellNotification,
  type NewDeviceSignIn,
} from './new-device.ts'

/** How the mails are sent. */
export interface AlertMailer {
  /** The site's address, without a slash at its end. */
  siteBase: string
  /** @throws the mail server's error */
  send: (mail: MailContent & { to: string }) => Promise<void>
  /** Whether the mail server will never take a mail to that address. */
  isRefused: (error: unknown, to: string) => boolean
}

/** A sign-in on a new device. */
export interface NewSignIn {
  account: Account
  /** The session's public id. */
  sessionId: string
  deviceId: string
  /** «Firefox en Linux» */
  device: string | null
}

/**
 * Notifies the member of a sign-in on a new device: in the bell, and by a mail that `sendAlertsOf` sends. The mail and its address are stored
 * with the sign-in, so that nothing that is done in that session, and no failing mail server, keeps it from going out. Call it in the
 * sign-in's transaction.
 */
export async function raiseSignInAlert(
  trx: Db,
  { account: { id: user_id, email }, sessionId: session_id, deviceId: device_id, device }: NewSignIn,
  now: number,
): Promise<void> {
  const { alerts } = await trx
    .selectFrom('sign_in_alerts')
    .select(({ fn }) => fn.countAll<number>().as('alerts'))
    .where('user_id', '=', user_id)
    .where('created_at', '>', now - HOUR_MS)
    .executeTakeFirstOrThrow()
  const times = { created_at: now, try_at: now, sent_at: email === null ? now : null }
  await trx
    .insertInto('sign_in_alerts')
    .values({
      id: randomUUID(),
      user_id,
      session_id,
      device_id,
      device: device ?? '',
      email,
      token_hash: null,
      used_at: null,
      ...times,
    })
    .execute()
  if (Number(alerts) < ALERTS_IN_BELL_PER_HOUR)
    await notify(trx, { userId: user_id, type: 'other', ...toBellNotification(device) }, now)
}

/** Before the second try of a mail; it triples with each. */
const RETRY_BASE_MS = 2 * MINUTE_MS
const MAX_RETRY_MS = 2 * HOUR_MS

/** Between two looks at an account that has had its mails of the hour. */
const LIMIT_PAUSE_MS = 5 * MINUTE_MS

interface ClaimedMail {
  to: string
  alias: string
  signIns: NewDeviceSignIn[]
  token: string
}

/**
 * Sends the member one mail of all sign-ins that no mail has named yet, if one is due and the account has had fewer than
 * ALERT_MAILS_PER_HOUR. A mail that fails is tried again by `sendDueAlerts`.
 * @returns whether one was sent
 * @throws the mail server's error
 */
export async function sendAlertsOf(db: Db, userId: string, mailer: AlertMailer, now = Date.now()): Promise<boolean> {
  const mail = await transact(db, (trx) => claimMail(trx, userId, now))
  if (!mail) return false
  const { to, token, ...content } = mail
  const token_hash = hashSecret(token)
  try {
    await mailer.send({ to, ...buildNewDeviceMail({ ...content, siteBase: mailer.siteBase, token }) })
  } catch (error) {
    if (!mailer.isRefused(error, to)) throw error
  }
  await db.updateTable('sign_in_alerts').set({ sent_at: now }).where('token_hash', '=', token_hash).execute()
  return true
}

/**
 * The mail that is due to a member, under a new secret. Until its next try is due nobody else sends it: two senders at the same moment send
 * one mail, and after a crash between sending and writing that down it is sent again.
 */
async function claimMail(trx: Db, userId: string, now: number): Promise<ClaimedMail | null> {
  await lockMembers(trx, [userId], 'change')
  const { mails } = await trx
    .selectFrom('sign_in_alerts')
    .select(({ fn }) => fn.count<number>('token_hash').distinct().as('mails'))
    .where('user_id', '=', userId)
    .where('sent_at', '>', now - HOUR_MS)
    .executeTakeFirstOrThrow()
  if (Number(mails) >= ALERT_MAILS_PER_HOUR) {
    const pending = trx.updateTable('sign_in_alerts').where('user_id', '=', userId).where('sent_at', 'is', null)
    await pending
      .set({ try_at: now + LIMIT_PAUSE_MS })
      .where('try_at', '<=', now)
      .execute()
    return null
  }
  const due = await trx
    .selectFrom('sign_in_alerts')
    .select(['id', 'email', 'device', 'created_at', 'tries'])
    .where('user_id', '=', userId)
    .where('sent_at', 'is', null)
    .where('try_at', '<=', now)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const to = due[0]?.email
  if (to == null) return null
  // Those of another address, which the account has had since, are the next mail.
  const signIns = due.filter(({ email }) => email === to)
  const tries = Math.max(...signIns.map((row) => row.tries))
  const token = randomBytes(32).toString('base64url')
  await trx
    .updateTable('sign_in_alerts')
    .set({
      token_hash: hashSecret(token),
      tries: tries + 1,
      try_at: now + Math.min(MAX_RETRY_MS, RETRY_BASE_MS * 3 ** tries),
    })
    .where(
      'id',
      'in',
      signIns.map(({ id }) => id),
    )
    .execute()
  const profile = await trx.selectFrom('profiles').select('alias').where('id', '=', userId).executeTakeFirst()
  return { to, alias: profile?.alias ?? FALLBACK_ALIAS, signIns, token }
}

/** Accounts that one round looks at. */
const ACCOUNTS_PER_ROUND = 100

/**
 * Sends the mails that are due: those that failed, and those that waited for the account's next hour. By index sign_in_alerts_pending.
 * @throws the mail server's error
 */
export async function sendDueAlerts(
  db: Db,
  mailer: AlertMailer,
  now = Date.now(),
  signal?: AbortSignal,
): Promise<void> {
  const rows = await db
    .selectFrom('sign_in_alerts')
    .select('user_id')
    .distinct()
    .where('sent_at', 'is', null)
    .where('try_at', '<=', now)
    .where('created_at', '>', now - DISOWN_DAYS * DAY_MS)
    .limit(ACCOUNTS_PER_ROUND)
    .execute()
  for (const { user_id } of rows) {
    signal?.throwIfAborted()
    await sendAlertsOf(db, user_id, mailer, now)
  }
}

/** Deletes alerts a week after their mail, or after the sign-in where none went out. @returns rows deleted */
export async function deleteExpiredAlerts(db: Db, now: number): Promise<number> {
  const bound = now - DISOWN_DAYS * DAY_MS
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_alerts')
    .where('created_at', '<', bound)
    .where((eb) => eb.or([eb('sent_at', 'is', null), eb('sent_at', '<', bound)]))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
