import type { Db } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { blockedError, isVisibleTo } from '#features/moderation/visibility.server.ts'
import { AppError, forbidden } from '#lib/errors.ts'
import { MAX_MESSAGES_PER_THREAD, CLOSED_TEXTS, type ClosedReason } from './contact.ts'
import type { ThreadRow } from './threads.server.ts'

/** The dog that a thread is about: none of a found dog, nor while its case's dog is hidden, or somebody else's by now. */
export const findThreadDog = (db: Db, { lost_case_id }: Pick<ThreadRow, 'lost_case_id'>) =>
  db
    .selectFrom('lost_cases as c')
    .innerJoin('dogs as d', (join) => join.onRef('d.id', '=', 'c.dog_id').onRef('d.owner_id', '=', 'c.owner_id'))
    .select(['d.id', 'd.name'])
    .where('c.id', '=', lost_case_id)
    .executeTakeFirst()

export const countMessages = async (db: Db, threadId: string): Promise<number> => {
  return countRows(db.selectFrom('contact_messages').where('thread_id', '=', threadId))
}

/** Why nobody can write in a thread now; null: they can. */
export async function findClosedReason(db: Db, thread: ThreadRow, messages: number): Promise<ClosedReason | null> {
  const { member_id, finder_id } = thread
  if (thread.ended === 'origin' && messages === 0) return 'unanswered'
  if (thread.ended !== null) return 'ended'
  if (!(await isVisibleTo(db, member_id, [finder_id], 'actions'))) return 'blocked'
  if (!(await isVisibleTo(db, null, [member_id, finder_id], 'presence'))) return 'away'
  if (thread.lost_case_id !== null && !(await findThreadDog(db, thread))) return 'hidden'
  return messages >= MAX_MESSAGES_PER_THREAD ? 'full' : null
}

/** The error of a thread in which nobody can write. */
export const closedThreadError = (stop: ClosedReason): AppError => {
  if (stop === 'blocked') return blockedError()
  const isOfThread = stop === 'full' || stop === 'ended' || stop === 'unanswered'
  return isOfThread ? new AppError(409, CLOSED_TEXTS[stop]) : forbidden(CLOSED_TEXTS[stop])
}
