import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { messageReviews } from '#features/contact/reported/reviews.server.ts'
import { claimReviews, noticeReviews } from '#features/found/reviews.server.ts'
import { logAdminAction } from '#features/moderation/admin-log.server.ts'
import type { ReviewSource } from '#features/moderation/review.server.ts'
import { type QueuedItem, REVIEW_KINDS, type ReviewDecision, type ReviewKind } from '#features/moderation/review.ts'
import { sightingReviews } from '#features/sightings/reviews.server.ts'
import { type AdminRequester, assertAdmin } from '#lib/auth/current-user.ts'
import { decodeCursor, encodeCursor } from '#lib/cursor.ts'

const SOURCES: Record<ReviewKind, ReviewSource> = {
  sighting: sightingReviews,
  found: noticeReviews,
  answer: claimReviews,
  'contact-message': messageReviews,
}

/** Items of one kind in a page. */
const PAGE_SIZE = 20

/** How many things wait beside cases. */
export async function countReviews(db: Db): Promise<number> {
  let count = 0
  for (const kind of REVIEW_KINDS) count += await SOURCES[kind].count(db)
  return count
}

/** The things of one kind that wait beside cases, the longest waiting first. @throws AppError 401, 403; 422 for a malformed cursor */
export async function listReviews(
  db: Db,
  requester: AdminRequester,
  kind: ReviewKind,
  { cursor, limit = PAGE_SIZE }: { cursor?: string | undefined; limit?: number } = {},
): Promise<{ rows: QueuedItem[]; nextCursor: string | null }> {
  assertAdmin(requester)
  const order = `review-${kind}`
  const at = cursor === undefined ? undefined : decodeCursor(cursor, order)
  const after = at && { since: at.value, id: at.id }
  const found = await SOURCES[kind].list(db, { after, limit: limit + 1 })
  const rows = found.slice(0, limit).map((item) => ({ ...item, kind }))
  const last = found.length > limit ? rows.at(-1) : undefined
  return { rows, nextCursor: last ? encodeCursor({ order, value: last.since, id: last.id }) : null }
}

/** The first page of every kind. @throws AppError 401, 403 */
export async function listAllReviews(db: Db, requester: AdminRequester): Promise<QueuedItem[]> {
  const rows: QueuedItem[] = []
  for (const kind of REVIEW_KINDS) rows.push(...(await listReviews(db, requester, kind)).rows)
  return rows
}

/** Applies the admin's decision, and logs it. @throws AppError 401, 403; 404; 409 for what does not wait */
export async function decideReview(
  db: Db,
  requester: AdminRequester,
  kind: ReviewKind,
  id: string,
  decision: ReviewDecision,
  now = Date.now(),
): Promise<void> {
  const adminId = assertAdmin(requester)
  const { decide, logged } = SOURCES[kind]
  await transact(db, async (trx) => {
    if ((await decide(trx, id, decision, now)) === false) return
    await logAdminAction(trx, { adminId, action: logged[decision], target: { kind, id } }, now)
  })
}
