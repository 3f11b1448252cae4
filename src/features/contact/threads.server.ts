import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import type { ContactThreadsTable } from '#db/schema.ts'
import { assertNotBlocked } from '#features/moderation/visibility.server.ts'
import { hashSecret } from '#features/secrets/secrets.server.ts'
import { notFound } from '#lib/errors.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'
import { dogInSentence, FALLBACK_ALIAS } from '#lib/text/names.ts'
import {
  CONTACT_TEXTS,
  type ContactSide,
  type ContactThread,
  MAX_MESSAGES_PER_THREAD,
  NAMELESS_FINDER,
} from './contact.ts'
import { findClosedReason, findThreadDog } from './closed-threads.server.ts'

export type ThreadRow = Selectable<ContactThreadsTable>

/** Who asks: a member, a device with secrets of finders (`readFinderSecrets`), or both. */
export interface ContactReader {
  userId: string | null
  /** By what the device reported; any of them opens what its hash stands on. */
  secrets: ReadonlyMap<string, string>
}

export interface NewThread {
  lostCaseId?: string | null
  foundId?: string | null
  /** The side with the account. */
  memberId: string
  /** The other side. @see finderSecret */
  finder: { userId: string } | { secretHash: string }
  /** Asked for by the finder, who may leave an address there: nobody can write, nor does the member see it, until the member opens it. */
  isWaiting?: boolean
}

/**
 * Opens the conversation of a member with a finder, or finds the one that they have about the same case or notice. Call it in the
 * transaction that stores what it is about.
 * @throws AppError 403 with a block between both
 */
export async function openThread(trx: Trx, thread: NewThread, now = Date.now()): Promise<{ id: string }> {
  const { lostCaseId = null, foundId = null, memberId, isWaiting = false } = thread
  const finder_id = 'userId' in thread.finder ? thread.finder.userId : null
  const secret_hash = 'secretHash' in thread.finder ? thread.finder.secretHash : null
  if (finder_id !== null) await assertNotBlocked(trx, finder_id, [memberId])
  const open = await trx
    .selectFrom('contact_threads')
    .select(['id', 'ended'])
    .where('member_id', '=', memberId)
    .where((eb) => (lostCaseId === null ? eb('found_id', '=', foundId) : eb('lost_case_id', '=', lostCaseId)))
    .where((eb) => (finder_id === null ? eb('secret_hash', '=', secret_hash) : eb('finder_id', '=', finder_id)))
    .executeTakeFirst()
  if (open) {
    if (open.ended === 'origin' && !isWaiting)
      await trx.updateTable('contact_threads').set({ ended: null }).where('id', '=', open.id).execute()
    return { id: open.id }
  }
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
      ended: isWaiting ? 'origin' : null,
      created_at: now,
      latest_at: now,
    })
    .execute()
  return { id }
}

/** Ends a reader's conversation for good; idempotent. @throws AppError 404 */
export const endThread = (db: Db, reader: ContactReader, id: string): Promise<void> =>
  transact(db, async (trx) => {
    const { side } = await requireThread(trx, reader, id)
    await endThreads(trx, side).where('id', '=', id).execute()
  })

/** Ends the open conversations that the caller chooses. `addMessage` refuses to write in them. */
export const endThreads = (trx: Trx, ended: NonNullable<ThreadRow['ended']>) =>
  trx
    .updateTable('contact_threads')
    .set({ ended })
    .where((eb) => eb.or([eb('ended', 'is', null), eb('ended', '=', 'origin')]))

/** Ends the conversation with who sent a sighting: it is deleted. */
export const endThreadOfSighting = (
  trx: Trx,
  { case_id, member_id, secret_hash }: { case_id: string; member_id: string | null; secret_hash: string | null },
  by: 'admin' | 'origin',
) =>
  endThreads(trx, by)
    .where('lost_case_id', '=', case_id)
    .where((eb) => (member_id === null ? eb('secret_hash', '=', secret_hash) : eb('finder_id', '=', member_id)))
    .execute()

/**
 * Ends the conversations about a found dog, or the one of a member. Those about a lost dog go with their case. Call it before the notice is
 * deleted.
 */
export async function closeThreadsOfFound(trx: Trx, foundId: string, memberId?: string): Promise<void> {
  const threads = trx.deleteFrom('contact_threads').where('found_id', '=', foundId)
  await (memberId === undefined ? threads : threads.where('member_id', '=', memberId)).execute()
}

const selectThread = (db: Db, id: string) => db.selectFrom('contact_threads').selectAll().where('id', '=', id)

/** Which side of a thread the reader is; null for nobody's. */
export function sideOf(thread: ThreadRow, { userId, secrets }: ContactReader): ContactSide | null {
  if (userId !== null && userId === thread.member_id) return 'member'
  if (userId !== null && userId === thread.finder_id) return 'finder'
  const { secret_hash } = thread
  if (secret_hash === null) return null
  return [...secrets.values()].some((secret) => hashSecret(secret) === secret_hash) ? 'finder' : null
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

/**
 * A thread as one of its two sides reads it, oldest message first. Neither side is told who the other is, beyond the name of a member.
 * @throws AppError 404
 */
export async function readThread(db: Db, reader: ContactReader, id: string): Promise<ContactThread> {
  const { thread, side } = await requireThread(db, reader, id)
  const rows = await db
    .selectFrom('contact_messages')
    .select(['id', 'side', 'text', 'warning', 'created_at'])
    .where('thread_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_MESSAGES_PER_THREAD)
    .execute()
  const dog = await findThreadDog(db, thread)
  return {
    id,
    side,
    kind: kindOf(thread),
    dog: dog ? dogInSentence(dog.name) : null,
    about: pathOf(thread, dog?.id),
    other: await nameOf(db, side === 'member' ? thread.finder_id : thread.member_id),
    stop: await findClosedReason(db, thread, rows.length),
    messages: rows.map(({ side: by, ...row }) => ({ ...row, mine: by === side })),
  }
}

/**
 * Counts a thread as read by its reader.
 * @param latest time of the last message that they have before them: one that came since stays unread
 * @throws AppError 404
 */
export async function markThreadRead(db: Db, reader: ContactReader, id: string, latest: number): Promise<void> {
  const { side } = await requireThread(db, reader, id)
  const seen = side === 'member' ? 'member_seen_at' : 'finder_seen_at'
  await transact(db, (trx) =>
    trx
      .updateTable('contact_threads')
      .set({ [seen]: latest })
      .where('id', '=', id)
      .where(seen, '<', latest)
      .where('latest_at', '>=', latest)
      .execute(),
  )
}

/** Whether a thread is about a lost dog or a found one. */
export const kindOf = ({ found_id }: Pick<ThreadRow, 'found_id'>) => (found_id === null ? 'lost' : 'found')

/** The page of what a thread is about; null while its dog is hidden. A found notice answers 404 to an owner whose case has ended. */
const pathOf = ({ found_id }: ThreadRow, dogId: string | undefined): string | null => {
  if (found_id !== null) return lostPaths.foundNotice(found_id)
  return dogId === undefined ? null : paths.dogById(dogId)
}

async function nameOf(db: Db, userId: string | null): Promise<string> {
  if (userId === null) return NAMELESS_FINDER
  const profile = await db.selectFrom('profiles').select('alias').where('id', '=', userId).executeTakeFirst()
  return profile?.alias ?? FALLBACK_ALIAS
}
