import type { Db } from '#db/client.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import type { Job } from '#features/outbox/jobs.server.ts'
import { type Mailer, mailTopic, type OutgoingMail } from '#features/outbox/mail-topic.server.ts'
import type { Topic } from '#features/outbox/outbox.server.ts'
import { issueSecret } from '#features/secrets/secrets.server.ts'
import { distanceKm } from '#lib/geo.ts'
import { paths } from '#lib/paths.ts'
import { HOUR_MS } from '#lib/time.ts'
import { readAlertedCase, storedPhoto } from './alerted-case.server.ts'
import { lostAlertMail } from './alert-mail.ts'

/** Mails that have waited longer are dropped, ms. */
const MAIL_MAX_AGE_MS = 24 * HOUR_MS
export const LOST_MAILS = 'lost-mails'

/** Mails about lost dogs. The key has the case and the member. */
export const lostMails = (mailer: Mailer | null): Topic =>
  mailTopic(mailer, {
    name: LOST_MAILS,
    failure: 'los emails de perros perdidos no se pudieron enviar',
    maxAgeMs: MAIL_MAX_AGE_MS,
    compose: composeMail,
    issueToken: (trx, { key }, now) => issueSecret(trx, 'lost-mails', { user_id: key.split(' ')[1]! }, now),
  })

/** What the mail is now, by its token; null where the case has ended or left the public, or the member gets no alert of it any more. */
async function composeMail(
  db: Db,
  { key }: Job,
  siteUrl: string,
  now: number,
): Promise<((token: string) => OutgoingMail) | null> {
  const [caseId, userId] = key.split(' ') as [string, string]
  const lost = await readAlertedCase(db, caseId, now)
  if (!lost) return null
  const reader = await db
    .selectFrom('lost_alert_settings as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .innerJoin('profiles as p', 'p.id', 's.user_id')
    .select(['u.email', 'p.alias', 's.lat', 's.lon'])
    .where('s.user_id', '=', userId)
    .where('s.by_mail', '=', 1)
    .where(visibleTo(lost.people, 'lostAlerts', now).of('s.user_id'))
    .executeTakeFirst()
  const to = reader?.email
  if (!to) return null
  const { name, zone, since } = lost
  const content = {
    alias: reader.alias,
    name,
    path: paths.dog(lost.path),
    photo: storedPhoto(lost.photoUrl),
    zone,
    since,
    km: distanceKm(reader, lost.shown),
  }
  return (token) => ({ to, ...lostAlertMail(siteUrl, { ...content, token }) })
}
