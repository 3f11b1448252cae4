import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import { lockRows } from '#db/dialect/locks.ts'
import { lockMembers } from '#db/locks.ts'
import type { ContactThreadsTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { assertNotBlocked, blockedError, findBlockBetween } from '#features/moderation/blocks.server.ts'
import { dogInSentence, FALLBACK_ALIAS } from '#lib/text/names.ts'
import { AppError, forbidden, invalid, notFound } from '#lib/errors.ts'
import {
  CONTACT_TEXTS,
  type ContactSide,
  type ContactThread,
  MAX_MESSAGES_PER_THREAD,
  messageSchema,
  STOP_TEXTS,
  type ThreadStop,
} from './contact.ts'
import { hashFinderSecret } from './finder-secret.server.ts'
import { announceMessage } from './relay/announce.server.ts'
import { findTextWarning } from './text-warning.ts'

export { finderSecret, hashFinderSecret } from './finder-secret.server.ts'

export type ThreadRow = Selectable<ContactThreadsTable>

/** Who asks: a member, a device with secrets of finders (`readFinderSecrets`), or both. */
export interface ContactReader {
  userId: string | null
  /** By the id of the thread. */
  secrets: ReadonlyMap<string, string>
}

export interface NewThread {
  lostCaseId?: string | null
  foundId?: string | null
  /** The side with the account. */
  memberId: string
  /** The other side. @see finderSecret */
  finder: { userId: string } | { secretHash: string }
}

/**
 * Opens the conversation of a member with a finder, or finds the one that they have about the same case or notice. Call it in the
 * transaction that stores what it is about.
 * @throws AppError 403 with a block between both
 */
export async function openThread(trx: Db, thread: NewThread, now = Date.now()): Promise<{ id: string }> {
  const { lostCaseId = null, foundId = null, memberId } = thread
  const finder_id = 'userId' in thread.finder ? thread.finder.userId : null
  const secret_hash = 'secretHash' in thread.finder ? thread.finder.secretHash : null
  if (finder_id !== null) {
    await lockMembers(trx, [memberId, finder_id], 'reference')
    await assertNotBlocked(trx, finder_id, [memberId])
  }
  const open = await trx
    .selectFrom('contact_threads')
    .select('id')
    .where('member_id', '=', memberId)
    .where((eb) => (lostCaseId === null ? eb('found_id', '=', foundId) : eb('lost_case_id', '=', lostCaseId)))
    .where((eb) => (finder_id === null ? eb('secret_hash', '=', secret_hash) : eb('finder_id', '=', finder_id)))
    .executeTakeFirst()
  if (open) return open
  const id = randomUUID()
  await trx
    .insertInto('contact_threads')
    .values({
      id,
      lost_case_id: lostCaseId,
      found_id: foundId,
      member_id: memberId,
      finder_id,
      secret_hash,
      created_at: now,
      latest_at: now,
    })
    .execute()
  return { id }
}

/** Ends the conversations about a found dog. Those about a lost one go with their case. Call it before the notice is deleted. */
export const closeThreadsOfFound = async (trx: Db, foundId: string): Promise<void> =>
  void (await trx.deleteFrom('contact_threads').where('found_id', '=', foundId).execute())

const isSameHash = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

const selectThread = (db: Db, id: string) => db.selectFrom('contact_threads').selectAll().where('id', '=', id)

/** Which side of a thread the reader is; null for nobody's. */
export function sideOf(thread: ThreadRow, { userId, secrets }: ContactReader): ContactSide | null {
  if (userId !== null && userId === thread.member_id) return 'member'
  if (userId !== null && userId === thread.finder_id) return 'finder'
  const secret = secrets.get(thread.id)
  if (secret === undefined || thread.secret_hash === null) return null
  return isSameHash(hashFinderSecret(secret), thread.secret_hash) ? 'finder' : null
}

/** The reader's thread. @throws AppError 404 where it is not theirs, does not exist or ended with its case */
export async function requireThread(
  db: Db,
  reader: ContactReader,
  id: string,
): Promise<{ thread: ThreadRow; side: ContactSide }> {
  const thread = await selectThread(db, id).executeTakeFirst()
  const side = thread ? sideOf(thread, reader) : null
  if (!thread || side === null) throw notFound(CONTACT_TEXTS.gone)
  return { thread, side }
}

/** The dog that a thread is about: none of a found dog, nor while its case's dog is hidden. */
const findDog = (db: Db, { lost_case_id }: ThreadRow) =>
  db
    .selectFrom('lost_cases as c')
    .innerJoin('dogs as d', 'd.id', 'c.dog_id')
    .select(['d.id', 'd.name'])
    .where('c.id', '=', lost_case_id)
    .executeTakeFirst()

const isLeaving = async (db: Db, ids: readonly string[]): Promise<boolean> =>
  (await db
    .selectFrom('account_deletions')
    .select('user_id')
    .where('user_id', 'in', ids)
    .union(db.selectFrom('account_erasures').select('user_id').where('user_id', 'in', ids))
    .executeTakeFirst()) !== undefined

const countMessages = async (db: Db, threadId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('contact_messages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('thread_id', '=', threadId)
    .executeTakeFirstOrThrow()
  return count
}

/** Why nobody can write in a thread now; null: they can. */
async function findStop(db: Db, thread: ThreadRow, messages: number): Promise<ThreadStop | null> {
  const { member_id, finder_id } = thread
  if (finder_id !== null && (await findBlockBetween(db, member_id, finder_id)) !== null) return 'blocked'
  if (
    await isLeaving(
      db,
      [member_id, finder_id].filter((id) => id !== null),
    )
  )
    return 'away'
  if (thread.lost_case_id !== null && !(await findDog(db, thread))) return 'hidden'
  return messages >= MAX_MESSAGES_PER_THREAD ? 'full' : null
}

/**
 * A thread as one of its two sides reads it, oldest message first; it counts as read by them. Neither side is told who the other is,
 * beyond the name of a member.
 * @throws AppError 404
 */
export async function readThread(db: Db, reader: ContactReader, id: string, now = Date.now()): Promise<ContactThread> {
  const { thread, side } = await requireThread(db, reader, id)
  const rows = await db
    .selectFrom('contact_messages')
    .select(['id', 'side', 'text', 'warning', 'created_at'])
    .where('thread_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_MESSAGES_PER_THREAD)
    .execute()
  const seenAt = side === 'member' ? thread.member_seen_at : thread.finder_seen_at
  if (rows.some((row) => row.side !== side && row.created_at >= seenAt))
    await db
      .updateTable('contact_threads')
      .set(side === 'member' ? { member_seen_at: now } : { finder_seen_at: now })
      .where('id', '=', id)
      .execute()
  const dog = await findDog(db, thread)
  return {
    id,
    side,
    dog: dog ? dogInSentence(dog.name) : null,
    other: await nameOf(db, side === 'member' ? thread.finder_id : thread.member_id),
    stop: await findStop(db, thread, rows.length),
    messages: rows.map(({ side: by, ...row }) => ({ ...row, mine: by === side })),
  }
}

async function nameOf(db: Db, userId: string | null): Promise<string> {
  if (userId === null) return 'Quien avisó'
  const profile = await db.selectFrom('profiles').select('alias').where('id', '=', userId).executeTakeFirst()
  return profile?.alias ?? FALLBACK_ALIAS
}

/** The error of a thread in which nobody can write. */
const stopError = (stop: ThreadStop): AppError => {
  if (stop === 'blocked') return blockedError()
  return stop === 'full' ? new AppError(409, STOP_TEXTS.full) : forbidden(STOP_TEXTS[stop])
}

/**
 * `postMessage` in a transaction of the caller's, who knows that `side` writes: a finder's first words come with what they report.
 * @throws as `postMessage`
 */
export async function addMessage(
  trx: Db,
  side: ContactSide,
  threadId: string,
  typed: string,
  now = Date.now(),
): Promise<{ id: string }> {
  const parsed = messageSchema.safeParse(typed)
  const problem = parsed.success ? parsed.data === '' && CONTACT_TEXTS.empty : parsed.error.issues[0]?.message
  if (!parsed.success || problem)
    throw invalid(problem || CONTACT_TEXTS.empty, { text: problem || CONTACT_TEXTS.empty })
  const found = await selectThread(trx, threadId).executeTakeFirst()
  if (!found) throw notFound(CONTACT_TEXTS.gone)
  const writer = side === 'member' ? found.member_id : found.finder_id
  if (writer !== null) await assertNotBanned(trx, writer, now)
  // A block that comes meanwhile waits, or is seen.
  await lockMembers(
    trx,
    [found.member_id, found.finder_id].filter((id) => id !== null),
    'reference',
  )
  const thread = await selectThread(trx, threadId).$call(lockRows(trx, 'change')).executeTakeFirst()
  if (!thread) throw notFound(CONTACT_TEXTS.gone)
  const stop = await findStop(trx, thread, await countMessages(trx, threadId))
  if (stop) throw stopError(stop)
  const id = randomUUID()
  await announceMessage(trx, thread, side, (await findDog(trx, thread))?.id ?? null, now)
  await trx
    .insertInto('contact_messages')
    .values({
      id,
      thread_id: threadId,
      side,
      text: parsed.data,
      warning: findTextWarning(parsed.data),
      created_at: now,
    })
    .execute()
  await trx.updateTable('contact_threads').set({ latest_at: now }).where('id', '=', threadId).execute()
  return { id }
}

/**
 * Adds a message and tells the other side. What `findTextWarning` finds is delivered all the same, folded.
 * @param side who writes; `requireThread` says which side a reader is
 * @throws AppError 403 for a banned member, with a block between both, or while the case is hidden; 404 once the thread has ended; 409
 *   once it is full; 422 for the text
 */
export const postMessage = (
  db: Db,
  side: ContactSide,
  threadId: string,
  text: string,
  now = Date.now(),
): Promise<{ id: string }> => transact(db, (trx) => addMessage(trx, side, threadId, text, now))
