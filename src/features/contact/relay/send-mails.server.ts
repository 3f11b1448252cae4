import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { ContactMailsTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { findActiveBan } from '#features/moderation/bans.server.ts'
import type { OutgoingMail } from '#features/notifications/digest/digest.server.ts'
import { dogInSentence } from '#lib/text/names.ts'
import { DAY_MS, MINUTE_MS } from '#lib/time.ts'
import { findClosedReason, findThreadDog } from '../closed-threads.server.ts'
import { buildMessageMail } from './message-mails.ts'

/** Mails of one round, a minute's. */
const MAILS_PER_ROUND = 50
/** A mail that the mail server refused for now is tried again after so long, ms. */
const RETRY_DELAY_MS = 15 * MINUTE_MS
/** A message that has waited longer is no news, ms. */
const MESSAGE_MAX_AGE_MS = DAY_MS

export interface MessageMailer {
  /** The public origin, for the links. */
  siteUrl: string
  /** @throws the mail server's error */
  send: (mail: OutgoingMail) => Promise<void>
  /** Whether the mail server will never take a mail to that address. */
  isRefused: (error: unknown, to: string) => boolean
  /** Whether the mail server refused this mail alone, if only for now: it may take the next. */
  isMailRefusal: (error: unknown) => boolean
}

type Wish = Selectable<ContactMailsTable>

/**
 * Sends the mails about messages that are due and still unread. A mail is taken out of the queue before it is handed over, so that none is
 * sent twice; one that is refused for now is put back for later, and the others go on. One at which the mail server fails goes behind them. An
 * address that does not exist is forgotten.
 * @returns how many were sent
 * @throws the mail server's error, where it is not about one mail
 */
export async function sendMessageMails(
  db: Db,
  mailer: MessageMailer,
  { now = Date.now(), signal }: { now?: number; signal?: AbortSignal } = {},
): Promise<number> {
  const due = await db
    .selectFrom('contact_mails')
    .selectAll()
    .where('due_at', '<=', now)
    .where('confirmed_at', 'is not', null)
    .orderBy('due_at')
    .orderBy('thread_id')
    .orderBy('side')
    .limit(MAILS_PER_ROUND)
    .execute()
  let sent = 0
  for (const wish of due) {
    if (signal?.aborted) return sent
    if (await sendDueMail(db, wish, mailer, now)) sent++
  }
  return sent
}

async function sendDueMail(db: Db, wish: Wish, mailer: MessageMailer, now: number): Promise<boolean> {
  const mail = await composeMail(db, wish, mailer.siteUrl, now)
  const { numUpdatedRows } = await transact(db, (trx) =>
    trx
      .updateTable('contact_mails')
      .set({ due_at: null, ...(mail && { mailed_at: now }) })
      .where('token', '=', wish.token)
      .where('due_at', '=', wish.due_at)
      .executeTakeFirstOrThrow(),
  )
  // Another process sends it, or the conversation has ended.
  if (!mail || numUpdatedRows === 0n) return false
  try {
    await mailer.send(mail)
    return true
  } catch (error) {
    if (mailer.isRefused(error, mail.to)) {
      await transact(db, (trx) => trx.deleteFrom('contact_mails').where('token', '=', wish.token).execute())
      return false
    }
    const isOfMail = mailer.isMailRefusal(error)
    await transact(db, (trx) =>
      trx
        .updateTable('contact_mails')
        .set({ due_at: isOfMail ? now + RETRY_DELAY_MS : now, mailed_at: wish.mailed_at })
        .where('token', '=', wish.token)
        .execute(),
    )
    if (!isOfMail) throw error
    return false
  }
}

/** The mail as it is now; null where all was read, nobody can write, or its reader is not to be notified any more. */
async function composeMail(db: Db, wish: Wish, siteUrl: string, now: number): Promise<OutgoingMail | null> {
  const { thread_id, side, token } = wish
  const thread = await db.selectFrom('contact_threads').selectAll().where('id', '=', thread_id).executeTakeFirst()
  if (!thread || (await findClosedReason(db, thread, 0)) !== null) return null
  const unread = await db
    .selectFrom('contact_messages')
    .select('id')
    .where('thread_id', '=', thread_id)
    .where('side', '!=', side)
    .where('created_at', '>', side === 'member' ? thread.member_seen_at : thread.finder_seen_at)
    .where('created_at', '>', now - MESSAGE_MAX_AGE_MS)
    .executeTakeFirst()
  if (!unread) return null
  const account = side === 'member' ? thread.member_id : thread.finder_id
  const to = account === null ? wish.email : await findAddress(db, account, now)
  if (to === null) return null
  const dog = await findThreadDog(db, thread)
  return { to, ...buildMessageMail(siteUrl, { dog: dog ? dogInSentence(dog.name) : null, threadId: thread_id, token }) }
}

async function findAddress(db: Db, userId: string, now: number): Promise<string | null> {
  if (await findActiveBan(db, userId, now)) return null
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return user?.email ?? null
}
