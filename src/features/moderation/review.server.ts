import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import type { AdminAction } from './admin-log.ts'
import type { ReviewDecision, ReviewItem } from './review.ts'

/** Where a page of what waits begins: after this item. */
export interface ReviewPage {
  after?: { since: number; id: string } | undefined
  limit: number
}

/** One kind of what waits. */
export interface ReviewSource {
  count(db: Db): Promise<number>
  /** The longest waiting first. */
  list(db: Db, page: ReviewPage): Promise<ReviewItem[]>
  /** Applies a decision. @returns false where there is nothing left to decide @throws AppError 404; 409 for what does not wait */
  decide(trx: Trx, id: string, decision: ReviewDecision, now: number): Promise<void | false>
  /** What the log of admins calls the decisions. */
  logged: Record<ReviewDecision, AdminAction>
}

/** The rows of a page of a query, in the order of `since` and `id`, two of its columns. */
export const inPage =
  (since: string, id: string, { after, limit }: ReviewPage) =>
  <DB, Table extends keyof DB, Row>(query: SelectQueryBuilder<DB, Table, Row>): SelectQueryBuilder<DB, Table, Row> => {
    const [first, second] = [sql.ref(since), sql.ref(id)]
    const page = query.orderBy(first).orderBy(second).limit(limit)
    return after ? page.where(sql<SqlBool>`(${first}, ${second}) > (${after.since}, ${after.id})`) : page
  }
