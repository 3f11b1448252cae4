import { createHash, randomUUID } from 'node:crypto'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { assertNotBlocked } from '#features/moderation/visibility.server.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { CONTACT_TEXTS, type ContactSide, messageSchema } from './contact.ts'
import { announceMessage } from './relay/announce.server.ts'
import { findTextWarning } from './text-warning.ts'
import { countMessages, findClosedReason, findThreadDog, closedThreadError } from './closed-threads.server.ts'
import { type ContactReader, requireThread } from './threads.server.ts'

/** @throws AppError 422 */
function readText(typed: string): string {
  const parsed = messageSchema.safeParse(typed)
  const problem = parsed.success ? parsed.data === '' && CONTACT_TEXTS.empty : parsed.error.issues[0]?.message
  if (!parsed.success || problem)
    throw invalid(problem || CONTACT_TEXTS.empty, { text: problem || CONTACT_TEXTS.empty })
  return parsed.data
}

const selectThread = (db: Db, id: string) => db.selectFrom('contact_threads').selectAll().where('id', '=', id)

const hashRequestKey = (threadId: string, side: ContactSide, key: string) =>
  createHash('sha256').update(['message', threadId, side, key].join('\0')).digest('base64url')

/**
 * Adds a message in a transaction of the caller's, and notifies the other side. What `findTextWarning` finds is delivered all the same, folded.
 * @param side who writes; `requireThread` says which side a reader is
 * @param key the Idempotency-Key
 * @throws AppError 403 for a banned member, with a block between both, or while the case is hidden; 404 once the thread is deleted; 409
 *   once it has ended or is full; 422 for the text
 */
export async function addMessage(
  trx: Trx,
  side: ContactSide,
  threadId: string,
  typed: string,
  now = Date.now(),
  key?: string,
): Promise<{ id: string }> {
  const text = readText(typed)
  const thread = await selectThread(trx, threadId).executeTakeFirst()
  if (!thread) throw notFound(CONTACT_TEXTS.gone)
  const writer = side === 'member' ? thread.member_id : thread.finder_id
  if (writer !== null) await assertNotBanned(trx, writer, now)
  const request_key = key === undefined ? null : hashRequestKey(threadId, side, key)
  if (request_key !== null) {
    const sent = await trx
      .selectFrom('contact_messages')
      .select('id')
      .where('request_key', '=', request_key)
      .executeTakeFirst()
    if (sent) return sent
  }
  const count = await countMessages(trx, threadId)
  const stop = await findClosedReason(trx, thread, count)
  if (stop) throw closedThreadError(stop)
  // The order of the transactions: of two who write at once the second may have begun first, and what counts as read is told by the time.
  const at = count > 0 ? Math.max(now, thread.latest_at + 1) : now
  const id = randomUUID()
  await announceMessage(trx, thread, side, (await findThreadDog(trx, thread))?.id ?? null, now)
  await trx
    .insertInto('contact_messages')
    .values({ id, thread_id: threadId, side, text, warning: findTextWarning(text), created_at: at, request_key })
    .execute()
  // The thread counts as read by who writes in it.
  const seen = side === 'member' ? { member_seen_at: at } : { finder_seen_at: at }
  await trx
    .updateTable('contact_threads')
    .set({ latest_at: at, ...seen })
    .where('id', '=', threadId)
    .execute()
  return { id }
}

/**
 * A reader writes in their thread. A repeated request with the same key changes nothing.
 * @param key the Idempotency-Key
 * @throws AppError as `addMessage`; 404 for everybody whose thread it is not
 */
export async function writeMessage(
  db: Db,
  reader: ContactReader,
  threadId: string,
  text: string,
  { key, now = Date.now() }: { key?: string | undefined; now?: number } = {},
): Promise<{ id: string }> {
  return transact(db, async (trx) => {
    const { thread, side } = await requireThread(trx, reader, threadId)
    // A member may hold a finder's device, which is no way around a ban or a block.
    if (reader.userId !== null && side === 'finder') {
      await assertNotBanned(trx, reader.userId, now)
      await assertNotBlocked(trx, reader.userId, [thread.member_id])
    }
    return addMessage(trx, side, threadId, text, now, key)
  })
}
