import type { Db } from '#db/client.ts'
import { findActiveBan } from '#features/moderation/bans.server.ts'
import type { Job } from '#features/outbox/jobs.server.ts'
import { type Mailer, mailTopic, type OutgoingMail } from '#features/outbox/mail-topic.server.ts'
import type { Topic } from '#features/outbox/outbox.server.ts'
import { issueSecret } from '#features/secrets/secrets.server.ts'
import { dogInSentence } from '#lib/text/names.ts'
import { DAY_MS, MINUTE_MS } from '#lib/time.ts'
import { findClosedReason, findThreadDog } from '../closed-threads.server.ts'
import { MAIL_PAUSE_MINUTES } from '../contact.ts'
import { fromAbout, isOf, MESSAGE_MAILS, selectWish } from './mail-wishes.server.ts'
import { buildMessageMail } from './message-mails.ts'

/** A message that has waited longer is no news, ms. */
const MESSAGE_MAX_AGE_MS = DAY_MS

/** Mails about messages that are still unread; one stands for all of its thread. An address that does not exist is forgotten. */
export const messageMails = (mailer: Mailer | null): Topic =>
  mailTopic(mailer, {
    name: MESSAGE_MAILS,
    failure: 'los emails de mensajes no se pudieron enviar',
    maxAgeMs: MESSAGE_MAX_AGE_MS,
    compose: composeMail,
    issueToken: (trx, { key }, now) => issueSecret(trx, 'message-mails', { about: key }, now),
    onSent: (trx, { key }, mailed_at) =>
      trx
        .updateTable('contact_mails')
        .set({ mailed_at })
        .where(isOf(...fromAbout(key)))
        .execute(),
    onRefused: (trx, { key }) =>
      trx
        .deleteFrom('contact_mails')
        .where(isOf(...fromAbout(key)))
        .execute(),
  })

/**
 * What the mail is now, by its token; null where all was read, nobody can write, or its reader is not to be notified any more; a time
 * within the pause after the last one.
 */
async function composeMail(
  db: Db,
  { key }: Job,
  siteUrl: string,
  now: number,
): Promise<((token: string) => OutgoingMail) | number | null> {
  const [threadId, side] = fromAbout(key)
  const wish = await selectWish(db, threadId, side).executeTakeFirst()
  if (!wish?.confirmed_at) return null
  const pauseEnd = wish.mailed_at + MAIL_PAUSE_MINUTES * MINUTE_MS
  if (pauseEnd > now) return pauseEnd
  const thread = await db.selectFrom('contact_threads').selectAll().where('id', '=', threadId).executeTakeFirst()
  if (!thread || (await findClosedReason(db, thread, 0)) !== null) return null
  const unread = await db
    .selectFrom('contact_messages')
    .select('id')
    .where('thread_id', '=', threadId)
    .where('side', '!=', side)
    .where('created_at', '>', side === 'member' ? thread.member_seen_at : thread.finder_seen_at)
    .where('created_at', '>', now - MESSAGE_MAX_AGE_MS)
    .executeTakeFirst()
  if (!unread) return null
  const account = side === 'member' ? thread.member_id : thread.finder_id
  const to = account === null ? wish.email : await findAddress(db, account, now)
  if (to === null) return null
  const found = await findThreadDog(db, thread)
  const dog = found ? dogInSentence(found.name) : null
  return (token) => ({ to, ...buildMessageMail(siteUrl, { dog, threadId, token }) })
}

async function findAddress(db: Db, userId: string, now: number): Promise<string | null> {
  if (await findActiveBan(db, userId, now)) return null
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return user?.email ?? null
}
