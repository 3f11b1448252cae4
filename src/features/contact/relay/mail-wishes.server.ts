import { type ExpressionBuilder } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import type { Schema } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { enqueue } from '#features/outbox/jobs.server.ts'
import { endSecrets, issueSecret, peekSecret, useSecret } from '#features/secrets/secrets.server.ts'
import { invalid } from '#lib/errors.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/time.ts'
import { CONFIRM_HOURS, CONTACT_TEXTS, type ContactSide, MAIL_PAUSE_MINUTES, type MailWish } from '../contact.ts'
import { type ContactReader, requireThread, type ThreadRow } from '../threads.server.ts'

/** Mails about messages wait as jobs of this topic; the key has the thread and the side. */
export const MESSAGE_MAILS = 'message-mails'
/** Who reads a message at once on the page gets no mail. */
export const MAIL_DELAY_MS = MINUTE_MS

const accountOf = ({ member_id, finder_id }: ThreadRow, side: ContactSide) =>
  side === 'member' ? member_id : finder_id

/** What the secrets of a side of a thread are about, and back. */
export const toAbout = (threadId: string, side: ContactSide) => `${side} ${threadId}`
export const fromAbout = (about: string): [string, ContactSide] => {
  const [side, threadId] = about.split(' ')
  return [threadId!, side as ContactSide]
}

/** The condition of a side's wish. */
export const isOf = (thread_id: string, side: ContactSide) => (eb: ExpressionBuilder<Schema, 'contact_mails'>) =>
  eb.and({ thread_id, side })
export const selectWish = (db: Db, threadId: string, side: ContactSide) =>
  db.selectFrom('contact_mails').selectAll().where(isOf(threadId, side))

/** How a reader of a thread is mailed. @throws AppError 404 */
export async function readMailWish(
  db: Db,
  reader: ContactReader,
  threadId: string,
  now = Date.now(),
): Promise<MailWish> {
  const { thread, side } = await requireThread(db, reader, threadId)
  const wish = await selectWish(db, threadId, side).executeTakeFirst()
  const isPending = wish?.confirmed_at === null && wish.email !== null && (wish.confirm_until ?? 0) > now
  const state = wish?.confirmed_at ? 'on' : isPending ? 'pending' : 'off'
  return { state, hasAccount: accountOf(thread, side) !== null }
}

/**
 * Notes that a reader wants mails about a thread. An account's address needs no confirmation; another waits for it, and takes the place of
 * the one before.
 * @param email of a finder without account; ignored for a member
 * @returns the token of the link to mail; null where nothing is to be confirmed
 * @throws AppError 404; 422 for a member without address
 */
export async function askForMails(
  db: Db,
  reader: ContactReader,
  threadId: string,
  email: string | null,
  now = Date.now(),
): Promise<{ token: string } | null> {
  return transact(db, async (trx) => {
    const { thread, side } = await requireThread(trx, reader, threadId)
    const account = accountOf(thread, side)
    if (account !== null) {
      const user = await trx.selectFrom('users').select('email').where('id', '=', account).executeTakeFirst()
      if (!user?.email) throw invalid(CONTACT_TEXTS.noEmail, { email: CONTACT_TEXTS.noEmail })
    } else if (email === null) throw invalid(CONTACT_TEXTS.noAddress, { email: CONTACT_TEXTS.noAddress })
    const before = await selectWish(trx, threadId, side).executeTakeFirst()
    if (before?.confirmed_at && (account !== null || before.email === email)) return null
    const isOfAccount = account !== null
    await trx.deleteFrom('contact_mails').where(isOf(threadId, side)).execute()
    await trx
      .insertInto('contact_mails')
      .values({
        thread_id: threadId,
        side,
        email: isOfAccount ? null : email,
        confirm_until: isOfAccount ? null : now + CONFIRM_HOURS * HOUR_MS,
        confirmed_at: isOfAccount ? now : null,
        // The time of the last mail is kept, so that another address does not shorten the pause.
        mailed_at: before?.mailed_at ?? 0,
        created_at: now,
      })
      .execute()
    const about = toAbout(threadId, side)
    // Links of mails to the address before end nothing of this one's.
    await endSecrets(trx, 'message-mails', { about })
    return isOfAccount ? null : { token: await issueSecret(trx, 'message-address', { about }, now) }
  })
}

/**
 * Forgets the wish and its address. Until the pause after the last mail is over, the time of that mail stays, so that who asks again gets no
 * mail sooner; `deleteExpiredRows` deletes the row then.
 */
async function forgetWish(trx: Trx, threadId: string, side: ContactSide, now: number): Promise<void> {
  const pauseMs = MAIL_PAUSE_MINUTES * MINUTE_MS
  await endSecrets(trx, 'message-address', { about: toAbout(threadId, side) })
  await trx
    .deleteFrom('contact_mails')
    .where(isOf(threadId, side))
    .where('mailed_at', '<=', now - pauseMs)
    .execute()
  await trx
    .updateTable('contact_mails')
    .set((eb) => ({ confirm_until: eb('mailed_at', '+', pauseMs) }))
    .set({ email: null, confirmed_at: null })
    .where(isOf(threadId, side))
    .execute()
}

/** «No me avises más» on the page; idempotent. The address is forgotten. @throws AppError 404 */
export const stopMails = (db: Db, reader: ContactReader, threadId: string, now = Date.now()): Promise<void> =>
  transact(db, async (trx) => {
    const { side } = await requireThread(trx, reader, threadId)
    await forgetWish(trx, threadId, side, now)
  })

/** The same for a mail's link. @param about what the link's secret is about */
export const stopMailsAbout = (trx: Trx, about: string, now: number): Promise<void> =>
  forgetWish(trx, ...fromAbout(about), now)

/** Whether a side of a thread is mailed. @param about what a link's secret is about */
export const isMailedAbout = async (db: Db, about: string): Promise<boolean> =>
  ((await selectWish(db, ...fromAbout(about)).executeTakeFirst())?.confirmed_at ?? null) !== null

/** The state for the link of a confirmation. Opening it changes nothing, because mail scanners open it, too. */
export async function readConfirmation(db: Db, token: string, now = Date.now()): Promise<'open' | 'done' | 'unknown'> {
  const secret = await peekSecret(db, 'message-address', token, now)
  const wish = secret && (await selectWish(db, ...fromAbout(secret.about)).executeTakeFirst())
  if (!wish) return 'unknown'
  if (wish.confirmed_at !== null) return 'done'
  return (wish.confirm_until ?? 0) > now ? 'open' : 'unknown'
}

/** Confirms the address to which `token` was sent; idempotent. @returns false for an unknown token, or one that has expired */
export const confirmAddress = (db: Db, token: string, now = Date.now()): Promise<boolean> =>
  transact(db, async (trx) => {
    if ((await readConfirmation(trx, token, now)) === 'unknown') return false
    const { about } = (await useSecret(trx, 'message-address', token, now))!
    // What was written meanwhile is mailed; whether it is still unread is seen then.
    await trx
      .updateTable('contact_mails')
      .set({ confirmed_at: now })
      .where(isOf(...fromAbout(about)))
      .where('confirmed_at', 'is', null)
      .execute()
    await enqueue(trx, MESSAGE_MAILS, [{ key: about }], now)
    return true
  })

/** Queues a mail to a side of a thread that wants them; one stands for all messages until it has gone. Call it inside a transaction. */
export async function queueMail(trx: Trx, threadId: string, side: ContactSide, now: number): Promise<void> {
  const wish = await selectWish(trx, threadId, side).executeTakeFirst()
  if (wish?.confirmed_at)
    await enqueue(trx, MESSAGE_MAILS, [{ key: toAbout(threadId, side), runAt: now + MAIL_DELAY_MS }], now)
}
