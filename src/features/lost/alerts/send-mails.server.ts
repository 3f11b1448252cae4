import type { Db } from '#db/client.ts'
import { numberValue } from '#db/dialect/expressions.ts'
import { transact } from '#db/transact.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import type { OutgoingMail } from '#features/notifications/digest/digest.server.ts'
import { distanceKm } from '#lib/geo.ts'
import { paths } from '#lib/paths.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/time.ts'
import { readAlertedCase, storedPhoto } from './alerted-case.server.ts'
import { lostAlertMail } from './alert-mail.ts'

/** Mails of one round: a minute's, as of the weekly mail. */
const MAILS_PER_ROUND = 50
/** The delay after which a mail that the mail server refused for now is tried again, ms. */
const RETRY_DELAY_MS = 15 * MINUTE_MS
/** Mails that have waited longer are dropped, ms. */
const MAIL_MAX_AGE_MS = 24 * HOUR_MS

export interface LostMailer {
  /** The public origin, for the links. */
  siteUrl: string
  /** @throws the mail server's error */
  send: (mail: OutgoingMail) => Promise<void>
  /** Whether the mail server will never take a mail to that address. */
  isRefused: (error: unknown, to: string) => boolean
  /** Whether the mail server refused this mail alone, if only for now: it may take the next. */
  isMailRefusal: (error: unknown) => boolean
}

/**
 * Sends the mails that are due, the oldest first. A mail is taken out of the queue before it is handed over, so that none is sent twice; one
 * that is refused for now is put back for later, and the others go on. One at which the mail server fails goes behind them: it may stall at
 * this recipient alone.
 * @returns how many were sent
 * @throws the mail server's error, where it is not about one mail
 */
export async function sendLostMails(
  db: Db,
  mailer: LostMailer,
  { now = Date.now(), signal }: { now?: number; signal?: AbortSignal } = {},
): Promise<number> {
  await transact(db, (trx) =>
    trx
      .deleteFrom('lost_alert_mails')
      .where('queued_at', '<', now - MAIL_MAX_AGE_MS)
      .execute(),
  )
  const queued = await db
    .selectFrom('lost_alert_mails')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('case_id')
    .orderBy('user_id')
    .limit(MAILS_PER_ROUND)
    .execute()
  let sent = 0
  for (const row of queued) {
    if (signal?.aborted) return sent
    if (await sendQueuedMail(db, row, mailer, now)) sent++
  }
  return sent
}

type QueuedMail = { case_id: string; user_id: string; queued_at: number; due_at: number }

async function sendQueuedMail(db: Db, row: QueuedMail, mailer: LostMailer, now: number): Promise<boolean> {
  const mail = await composeMail(db, row, mailer.siteUrl, now)
  const { numDeletedRows } = await transact(db, (trx) =>
    trx
      .deleteFrom('lost_alert_mails')
      .where('case_id', '=', row.case_id)
      .where('user_id', '=', row.user_id)
      .where('due_at', '=', row.due_at)
      .executeTakeFirstOrThrow(),
  )
  // Another process sends it, or the case has ended.
  if (!mail || numDeletedRows === 0n) return false
  try {
    await mailer.send(mail)
    return true
  } catch (error) {
    if (mailer.isRefused(error, mail.to)) return false
    const isOfMail = mailer.isMailRefusal(error)
    await putBack(db, row, isOfMail ? now + RETRY_DELAY_MS : now)
    if (!isOfMail) throw error
    return false
  }
}

/** The mail as it is now; null where the case has ended or left the public, or the member gets no alert of it any more. */
async function composeMail(db: Db, row: QueuedMail, siteUrl: string, now: number): Promise<OutgoingMail | null> {
  const lost = await readAlertedCase(db, row.case_id, now)
  if (!lost) return null
  const reader = await db
    .selectFrom('lost_alert_settings as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .innerJoin('profiles as p', 'p.id', 's.user_id')
    .select(['u.email', 'p.alias', 's.lat', 's.lon', 's.mail_token'])
    .where('s.user_id', '=', row.user_id)
    .where('s.by_mail', '=', 1)
    .where(visibleTo(lost.people, 'lostAlerts', now).of('s.user_id'))
    .executeTakeFirst()
  if (!reader?.email) return null
  const { name, zone, since } = lost
  const content = lostAlertMail(siteUrl, {
    alias: reader.alias,
    name,
    path: paths.dog(lost.path),
    photo: storedPhoto(lost.photoUrl),
    zone,
    since,
    km: distanceKm(reader, lost.shown),
    token: reader.mail_token,
  })
  return { to: reader.email, ...content }
}

/** Only while the case is open and the account there. */
const putBack = (db: Db, { case_id, user_id, queued_at }: QueuedMail, dueAt: number) =>
  transact(db, (trx) =>
    trx
      .insertInto('lost_alert_mails')
      .columns(['case_id', 'user_id', 'queued_at', 'due_at'])
      .expression((eb) =>
        eb
          .selectFrom('lost_cases as c')
          .innerJoin('users as u', (join) => join.on('u.id', '=', user_id))
          .select(['c.id', 'u.id as member', numberValue(queued_at).as('queued'), numberValue(dueAt).as('due')])
          .where('c.id', '=', case_id),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
