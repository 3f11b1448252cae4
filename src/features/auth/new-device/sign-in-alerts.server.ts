import { randomBytes, randomUUID } from 'node:crypto'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { authPaths } from '#features/auth/auth-paths.ts'
import { UNDO_DAYS } from '#features/auth/auth.ts'
import { listConfirmedAddresses } from '#features/auth/email-change/confirmed-addresses.server.ts'
import type { SecurityEvent } from '#features/auth/security-log/security-log.ts'
import type { MailContent } from '#features/auth/sign-in/sign-in-mail.ts'
import { hashSecret } from '#features/secrets/secrets.server.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { FALLBACK_ALIAS } from '#lib/text/names.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts'
import { buildAlertMail } from './new-device-mail.ts'
import { ALERT_MAILS_PER_HOUR, ALERTS_IN_BELL_PER_HOUR, deviceInSentence, type NamedAlert } from './new-device.ts'

/** How the mails are sent. */
export interface AlertMailer {
  /** The site's address, without a slash at its end. */
  siteBase: string
  /** @throws the mail server's error */
  send: (mail: MailContent & { to: string }) => Promise<void>
  /** Whether the mail server will never take a mail to that address. */
  isRefused: (error: unknown, to: string) => boolean
}

/** A sign-in on a new device, a way in that was added or removed, or a change of address. */
export interface NewAlert {
  event: SecurityEvent
  /** «Firefox en Linux», or the event's detail. */
  detail: string | null
  /** Of a sign-in: the session's public id. */
  sessionId?: string
  /** A way in that was removed, as JSON. */
  removed?: string
}

/**
 * Notifies every confirmed address of the account (`listConfirmedAddresses`) by mails that `sendAlertsOf` sends. They are stored with the
 * event, so that nothing that is done in that session, and no failing mail server, keeps them from going out. The bell tells of sign-ins. Call it
 * in the event's transaction.
 */
export async function raiseAlert(
  trx: Trx,
  user_id: string,
  { event, detail, sessionId: session_id = '', removed }: NewAlert,
  now: number,
): Promise<void> {
  const { signIns } = await trx
    .selectFrom('sign_in_alerts')
    .select(({ fn }) => fn.count<number>('session_id').distinct().as('signIns'))
    .where('user_id', '=', user_id)
    .where('event', '=', 'new-device')
    .where('created_at', '>', now - HOUR_MS)
    .executeTakeFirstOrThrow()
  const addresses = await listConfirmedAddresses(trx, user_id, now)
  const alert = {
    user_id,
    event,
    session_id,
    device_id: '',
    device: detail ?? '',
    token_hash: null,
    used_at: null,
    removed: removed ?? null,
  }
  await trx
    .insertInto('sign_in_alerts')
    .values(
      (addresses.length > 0 ? addresses : [null]).map((email) => ({
        id: randomUUID(),
        email,
        ...alert,
        created_at: now,
        try_at: now,
        sent_at: email === null ? now : null,
      })),
    )
    .execute()
  if (event === 'new-device' && Number(signIns) < ALERTS_IN_BELL_PER_HOUR)
    await notify(
      trx,
      'new-device',
      { userId: user_id, device: deviceInSentence(detail), link: authPaths.accountSessions() },
      now,
    )
}

/** Before the second try of a mail; it triples with each. */
const RETRY_BASE_MS = 2 * MINUTE_MS
const MAX_RETRY_MS = 2 * HOUR_MS

/** Between two looks at an account that has had its mails of the hour. */
const LIMIT_PAUSE_MS = 5 * MINUTE_MS

interface ClaimedMail {
  to: string
  alias: string
  alerts: NamedAlert[]
  token: string
}

/**
 * Sends each address of the account one mail of all alerts that no mail has named yet, if one is due and the address has had fewer than
 * ALERT_MAILS_PER_HOUR. A mail that fails is tried again by `sendDueAlerts`, and keeps no other back.
 * @returns whether one was sent
 * @throws the mail server's error
 */
export async function sendAlertsOf(db: Db, userId: string, mailer: AlertMailer, now = Date.now()): Promise<boolean> {
  const failures: unknown[] = []
  let isSent = false
  for (let mail; (mail = await transact(db, (trx) => claimMail(trx, userId, now)));) {
    const { to, token, ...content } = mail
    try {
      await mailer.send({ to, ...buildAlertMail({ ...content, siteBase: mailer.siteBase, token }) })
      isSent = true
    } catch (error) {
      if (!mailer.isRefused(error, to)) {
        failures.push(error)
        continue
      }
    }
    await transact(db, (trx) =>
      trx.updateTable('sign_in_alerts').set({ sent_at: now }).where('token_hash', '=', hashSecret(token)).execute(),
    )
  }
  if (failures.length > 0) throw failures[0]
  return isSent
}

/**
 * The mail that is due to an address of a member's, under a new secret. Until its next try is due nobody else sends it: two senders at the same
 * moment send one mail, and after a crash between sending and writing that down it is sent again.
 */
async function claimMail(trx: Trx, userId: string, now: number): Promise<ClaimedMail | null> {
  const due = await trx
    .selectFrom('sign_in_alerts')
    .select(['id', 'email', 'event', 'device', 'created_at', 'tries'])
    .where('user_id', '=', userId)
    .where('sent_at', 'is', null)
    .where('used_at', 'is', null)
    .where('try_at', '<=', now)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const to = due[0]?.email
  if (to == null) return null
  // Those to another address are the next mail.
  const alerts = due.filter(({ email }) => email === to)
  const claimed = trx.updateTable('sign_in_alerts').where(
    'id',
    'in',
    alerts.map(({ id }) => id),
  )
  const { mails } = await trx
    .selectFrom('sign_in_alerts')
    .select(({ fn }) => fn.count<number>('token_hash').distinct().as('mails'))
    .where('user_id', '=', userId)
    .where('email', '=', to)
    .where('sent_at', '>', now - HOUR_MS)
    .executeTakeFirstOrThrow()
  if (Number(mails) >= ALERT_MAILS_PER_HOUR) {
    await claimed.set({ try_at: now + LIMIT_PAUSE_MS }).execute()
    return claimMail(trx, userId, now)
  }
  const tries = Math.max(...alerts.map((row) => row.tries))
  const token = randomBytes(32).toString('base64url')
  const try_at = now + Math.min(MAX_RETRY_MS, RETRY_BASE_MS * 3 ** tries)
  await claimed.set({ token_hash: hashSecret(token), tries: tries + 1, try_at }).execute()
  const profile = await trx.selectFrom('profiles').select('alias').where('id', '=', userId).executeTakeFirst()
  return { to, alias: profile?.alias ?? FALLBACK_ALIAS, alerts, token }
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
    .where('used_at', 'is', null)
    .where('try_at', '<=', now)
    .where('created_at', '>', now - UNDO_DAYS * DAY_MS)
    .limit(ACCOUNTS_PER_ROUND)
    .execute()
  for (const { user_id } of rows) {
    signal?.throwIfAborted()
    await sendAlertsOf(db, user_id, mailer, now)
  }
}
