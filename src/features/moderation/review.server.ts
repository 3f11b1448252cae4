import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Db } from '#db/client.ts'
import type { AdminRequester } from '#lib/auth/current-user.ts'
import type { ReviewDecision, ReviewItem } from './review.ts'

/** Where a page of what waits begins: after this item. */
export interface ReviewPage {
  after?: { since: number; id: string } | undefined
  limit: number
}

/** One kind of what waits. Its functions throw AppError 401 and 403 for everybody but the admin. */
export interface ReviewSource {
  count(db: Db): Promise<number>
  /** The longest waiting first. */
  list(db: Db, requester: AdminRequester, page: ReviewPage): Promise<ReviewItem[]>
  /** @throws AppError 404; 409 for what does not wait */
  decide(db: Db, requester: AdminRequester, id: string, decision: ReviewDecision): Promise<unknown>
}

/** Condition of a page: rows in the order of `since` and `id`, two columns, after its first item. */
export const afterItem = (since: string, id: string, after: ReviewPage['after']): RawBuilder<SqlBool> =>
  after ? sql`(${sql.ref(since)}, ${sql.ref(id)}) > (${after.since}, ${after.id})` : sql`true`
