import type { Db } from '#db/client.ts'
import { findTextWarning } from '#features/contact/text-warning.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { decodeCursor, encodeCursor } from '#lib/cursor.ts'
import { CLAIMS_PAGE_SIZE, type NoticeClaim } from './found.ts'

const CLAIM_ORDER = 'found-claims'

/**
 * A page of the answers to a notice, oldest first.
 * @param userId whose; null: for the finder, of all whom they see
 * @param finderId the finder; null for a visitor
 * @throws AppError 422 for a malformed cursor
 */
export async function listClaims(
  db: Db,
  noticeId: string,
  userId: string | null,
  finderId: string | null,
  cursor?: string,
): Promise<{ claims: NoticeClaim[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : decodeCursor(cursor, CLAIM_ORDER)
  const rows = await db
    .selectFrom('found_claims as a')
    .leftJoin('contact_threads as t', (join) =>
      join.onRef('t.found_id', '=', 'a.notice_id').onRef('t.member_id', '=', 'a.user_id'),
    )
    .leftJoin('found_reports as r', 'r.claim_id', 'a.id')
    .select(['a.id', 'a.answer', 'a.state', 'a.created_at as createdAt', 't.id as threadId', 'r.id as reportId'])
    .where('a.notice_id', '=', noticeId)
    .$if(userId !== null, (query) => query.where('a.user_id', '=', userId!))
    .$if(after !== null, (query) =>
      query.where((eb) => eb(eb.refTuple('a.created_at', 'a.id'), '>', eb.tuple(after!.value, after!.id))),
    )
    .where(visibleTo(finderId, 'lostDogs').of('a.user_id'))
    .orderBy('a.created_at')
    .orderBy('a.id')
    .limit(CLAIMS_PAGE_SIZE + 1)
    .execute()
  const page = rows.slice(0, CLAIMS_PAGE_SIZE)
  const last = page.at(-1)
  return {
    claims: page.map(({ reportId, ...row }) => ({
      ...row,
      // Their author does not learn of it.
      isReported: userId === null && reportId !== null,
      warning: findTextWarning(row.answer),
      threadId: row.state === 'accepted' ? row.threadId : null,
    })),
    nextCursor:
      rows.length > CLAIMS_PAGE_SIZE && last
        ? encodeCursor({ order: CLAIM_ORDER, value: last.createdAt, id: last.id })
        : null,
  }
}
