import type { Db, Trx } from '#db/client.ts'
import { findActiveBan } from '#features/moderation/bans.server.ts'
import type { Job } from '#features/outbox/jobs.server.ts'
import { type Mailer, mailTopic, type OutgoingMail } from '#features/outbox/mail-topic.server.ts'
import type { Topic } from '#features/outbox/outbox.server.ts'
import { dogInSentence } from '#lib/text/names.ts'
import { DAY_MS, MINUTE_MS } from '#lib/time.ts'
import { findClosedReason, findThreadDog } from '../closed-threads.server.ts'
import { type ContactSide, MAIL_PAUSE_MINUTES } from '../contact.ts'
import { MESSAGE_MAILS, selectWish } from './mail-wishes.server.ts'
import { buildMessageMail } from './message-mails.ts'

/** A message that has waited longer is no news, ms. */
const MESSAGE_MAX_AGE_MS = DAY_MS

type WishKey = [threadId: string, side: ContactSide]
const wishOf = ({ key }: Job) => key.split(' ') as WishKey
const noteSent = (trx: Trx, [threadId, side]: WishKey, mailed_at: number) =>
  trx
    .updateTable('contact_mails')
    .set({ mailed_at })
    .where('thread_id', '=', threadId)
    .where('side', '=', side)
    .execute()
const deleteWish = (trx: Trx, [threadId, side]: WishKey) =>
  trx.deleteFrom('contact_mails').where('thread_id', '=', threadId).where('side', '=', side).execute()

/** Mails about messages that are still unread; one stands for all of its thread. An address that does not exist is forgotten. */
export const messageMails = (mailer: Mailer): Topic =>
  mailTopic(mailer, {
    name: MESSAGE_MAILS,
    failure: 'los emails de mensajes no se pudieron enviar',
    maxAgeMs: MESSAGE_MAX_AGE_MS,
    compose: composeMail,
    onSent: (trx, job, now) => noteSent(trx, wishOf(job), now),
    onRefused: (trx, job) => deleteWish(trx, wishOf(job)),
  })

/**
 * The mail as it is now; null where all was read, nobody can write, or its reader is not to be notified any more; within the pause after the
 * last one its end.
 */
async function composeMail(db: Db, job: Job, siteUrl: string, now: number): Promise<OutgoingMail | number | null> {
  const [threadId, side] = wishOf(job)
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
  const dog = await findThreadDog(db, thread)
  return {
    to,
    ...buildMessageMail(siteUrl, { dog: dog ? dogInSentence(dog.name) : null, threadId, token: wish.token }),
  }
}

async function findAddress(db: Db, userId: string, now: number): Promise<string | null> {
  if (await findActiveBan(db, userId, now)) return null
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return user?.email ?? null
}
