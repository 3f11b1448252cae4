import { createHash, randomBytes } from 'node:crypto'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { enqueue } from '#features/outbox/jobs.server.ts'
import { invalid } from '#lib/errors.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/time.ts'
import { CONFIRM_HOURS, CONTACT_TEXTS, type ContactSide, MAIL_PAUSE_MINUTES, type MailWish } from '../contact.ts'
import { type ContactReader, requireThread, type ThreadRow } from '../threads.server.ts'

/** Mails about messages wait as jobs of this topic; the key has the thread and the side. */
export const MESSAGE_MAILS = 'message-mails'
/** Who reads a message at once on the page gets no mail. */
export const MAIL_DELAY_MS = MINUTE_MS

const createToken = () => randomBytes(24).toString('base64url')
const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
const accountOf = ({ member_id, finder_id }: ThreadRow, side: ContactSide) =>
  side === 'member' ? member_id : finder_id

export const selectWish = (db: Db, threadId: string, side: ContactSide) =>
  db.selectFrom('contact_mails').selectAll().where('thread_id', '=', threadId).where('side', '=', side)

/** How a reader of a thread is mailed. @throws AppError 404 */
export async function readMailWish(
  db: Db,
  reader: ContactReader,
  threadId: string,
  now = Date.now(),
): Promise<MailWish> {
  const { thread, side } = await requireThread(db, reader, threadId)
  const wish = await selectWish(db, threadId, side).executeTakeFirst()
  const isPending = wish?.confirmed_at === null && wish.confirm_hash !== null && (wish.confirm_until ?? 0) > now
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
    const token = createToken()
    const isOfAccount = account !== null
    await trx.deleteFrom('contact_mails').where('thread_id', '=', threadId).where('side', '=', side).execute()
    await trx
      .insertInto('contact_mails')
      .values({
        thread_id: threadId,
        side,
        email: isOfAccount ? null : email,
        confirm_hash: isOfAccount ? null : hashToken(token),
        confirm_until: isOfAccount ? null : now + CONFIRM_HOURS * HOUR_MS,
        confirmed_at: isOfAccount ? now : null,
        token: createToken(),
        // The time of the last mail is kept, so that another address does not shorten the pause.
        mailed_at: before?.mailed_at ?? 0,
        created_at: now,
      })
      .execute()
    return isOfAccount ? null : { token }
  })
}

/**
 * Forgets the wish and its address. Until the pause after the last mail is over, the time of that mail stays, so that who asks again gets no
 * mail sooner; `deleteExpiredRows` deletes the row then.
 */
async function forgetWish(db: Db, threadId: string, side: ContactSide, now: number): Promise<void> {
  const pauseMs = MAIL_PAUSE_MINUTES * MINUTE_MS
  await transact(db, async (trx) => {
    const deletion = trx.deleteFrom('contact_mails').where('thread_id', '=', threadId).where('side', '=', side)
    await deletion.where('mailed_at', '<=', now - pauseMs).execute()
    await trx
      .updateTable('contact_mails')
      .set((eb) => ({ confirm_until: eb('mailed_at', '+', pauseMs), token: createToken() }))
      .set({ email: null, confirm_hash: null, confirmed_at: null })
      .where('thread_id', '=', threadId)
      .where('side', '=', side)
      .execute()
  })
}

/** «No me avises más» on the page; idempotent. The address is forgotten. @throws AppError 404 */
export async function stopMails(db: Db, reader: ContactReader, threadId: string, now = Date.now()): Promise<void> {
  const { side } = await requireThread(db, reader, threadId)
  await forgetWish(db, threadId, side, now)
}

/** The state for the link of a confirmation. Opening it changes nothing, because mail scanners open it, too. */
export async function readConfirmation(db: Db, token: string, now = Date.now()): Promise<'open' | 'done' | 'unknown'> {
  const wish = await db
    .selectFrom('contact_mails')
    .select(['confirmed_at', 'confirm_until'])
    .where('confirm_hash', '=', hashToken(token))
    .executeTakeFirst()
  if (!wish) return 'unknown'
  if (wish.confirmed_at !== null) return 'done'
  return (wish.confirm_until ?? 0) > now ? 'open' : 'unknown'
}

/** Confirms the address to which `token` was sent; idempotent. @returns false for an unknown token, or one that has expired */
export async function confirmAddress(db: Db, token: string, now = Date.now()): Promise<boolean> {
  if ((await readConfirmation(db, token, now)) === 'unknown') return false
  const ofToken = hashToken(token)
  await transact(db, async (trx) => {
    const wish = await trx
      .updateTable('contact_mails')
      .set({ confirmed_at: now })
      .where('confirm_hash', '=', ofToken)
      .where('confirmed_at', 'is', null)
      .returning(['thread_id', 'side'])
      .executeTakeFirst()
    // What was written meanwhile is mailed; whether it is still unread is seen then.
    if (wish) await enqueue(trx, MESSAGE_MAILS, [{ key: `${wish.thread_id} ${wish.side}` }], now)
  })
  return true
}

/** Whether mails go out that have this token. */
export const isMailedBy = async (db: Db, token: string): Promise<boolean> =>
  (await db.selectFrom('contact_mails').select('side').where('token', '=', token).executeTakeFirst()) !== undefined

/** Mails no more about the thread of `token`, and forgets the address; idempotent. */
export async function stopMailsByToken(db: Db, token: string, now = Date.now()): Promise<void> {
  const ofToken = db.selectFrom('contact_mails').select(['thread_id', 'side']).where('token', '=', token)
  const wish = await ofToken.executeTakeFirst()
  if (wish) await forgetWish(db, wish.thread_id, wish.side, now)
}

/** Queues a mail to a side of a thread that wants them; one stands for all messages until it has gone. Call it inside a transaction. */
export async function queueMail(trx: Trx, threadId: string, side: ContactSide, now: number): Promise<void> {
  const wish = await selectWish(trx, threadId, side).executeTakeFirst()
  if (wish?.confirmed_at)
    await enqueue(trx, MESSAGE_MAILS, [{ key: `${threadId} ${side}`, runAt: now + MAIL_DELAY_MS }], now)
}
