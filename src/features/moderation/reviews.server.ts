import { sql, type SqlBool } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { withoutIndex } from '#db/dialect/expressions.ts'
import { AppError } from '#lib/errors.ts'
import { type CaseTarget, openCase, writeDecision } from './cases.server.ts'
import { MODERATION_TEXTS, OPEN_REVIEWS_MAX } from './moderation.ts'
import { discardCasesOfMember, targetIsHidden } from './orphaned-cases.server.ts'

/** What is hidden until the admin has reviewed it. */
export interface NewReview {
  cause: 'words' | 'anonymous'
  /** Shown to the admin. */
  reason: string
  /** The author; null for a visitor. */
  authorId: string | null
}

/**
 * Opens a case for content that was hidden without a report, and logs that automatic decision. Call it in the transaction
 * that hides it. The case belongs to the author, who may not own the dog: it counts towards the author's reviews, and the admin
 * warns or bans the author.
 * @throws AppError 429 for an author with too many open reviews
 */
export async function openReviewCase(
  trx: Trx,
  target: CaseTarget & { label: string },
  { cause, reason, authorId }: NewReview,
  now: number,
): Promise<void> {
  await assertReviewRoom(trx, authorId)
  const caseId = await openCase(trx, target, { cause, user_id: authorId }, now)
  const { kind, id: targetId, label, memberIds } = target
  await writeDecision(trx, { caseId, kind, targetId, label, action: 'hold', adminId: null, reason, memberIds }, now)
}

/**
 * Puts a public text that the filter doubts to the review. Of one author OPEN_REVIEWS_MAX wait at a time: what comes beyond stays public
 * without a case, and can be reported.
 */
export async function openTextCase(trx: Trx, target: CaseTarget, authorId: string, now: number): Promise<void> {
  const open = await countRows(
    trx.selectFrom('cases').where('user_id', '=', authorId).where('cause', '=', 'words').where('open', '=', 1),
  )
  if (open < OPEN_REVIEWS_MAX) await openCase(trx, target, { cause: 'words', user_id: authorId }, now)
}

/** Open cases of content that is not public until the admin has reviewed it; no reports, no appeals about public content. */
const selectReviews = (db: Db) =>
  db
    .selectFrom('cases as c')
    .where((eb) =>
      eb.or([sql<SqlBool>`${sql.raw(targetIsHidden('c.kind', 'c.thing_id'))}`, eb('c.proposed', 'is not', null)]),
    )
    .where('c.cause', 'in', ['words', 'anonymous'])
    .where('c.open', '=', 1)

/** Reviews of content that a member wrote; by index cases_user. */
const selectReviewsOf = (db: Db, userId: string) => selectReviews(db).where('c.user_id', '=', userId)

/**
 * Call it in an action that may open a review.
 * @param userId the author; null for a visitor
 * @param dogId whose own case does not count: what waits in it is replaced
 * @throws AppError 429 for an author with OPEN_REVIEWS_MAX open reviews
 */
export async function assertReviewRoom(db: Db, userId: string | null, dogId = ''): Promise<void> {
  if (!userId) return
  const open = await countRows(selectReviewsOf(db, userId).where('c.thing_id', '!=', dogId))
  if (open >= OPEN_REVIEWS_MAX) throw tooManyReviews(MODERATION_TEXTS.tooManyReviews)
}

const tooManyReviews = (detail: string) => new AppError(429, detail, { retryAfter: 3600 })

/**
 * The same for dogs that visitors added and nobody has claimed, which alone have a claim token: one whose member has deleted the
 * account is not a visitor's.
 * @param max open reviews of visitors' dogs; 0: no limit
 * @throws AppError 429 at the limit
 */
export async function assertAnonymousReviewRoom(db: Db, max: number): Promise<void> {
  if (max === 0) return
  const waiting = await selectReviews(db)
    .innerJoin('secrets as s', 's.dog_id', 'c.thing_id')
    .select('c.id')
    // Index cases_user has all closed cases of such dogs as well.
    .where(withoutIndex<string | null>(db, 'c.user_id'), 'is', null)
    .limit(max)
    .execute()
  if (waiting.length >= max) throw tooManyReviews(MODERATION_TEXTS.tooManyAnonymousReviews)
}

/**
 * Closes the cases of what the filter hid of a member who is banned, and nobody reported: it stays hidden, and an appeal
 * opens its case again. Cases of theirs whose target is gone leave the queue as well.
 * @param exceptId the case that the admin has before them
 */
export async function closeReviewsOfBanned(trx: Trx, userId: string, exceptId: string): Promise<void> {
  const ids = selectReviewsOf(trx, userId)
    .select('c.id')
    // Of what a visitor added no decision concerns the member, so no appeal could open its case again.
    .where('c.cause', '=', 'words')
    .where('c.reports', '=', 0)
    .where('c.id', '!=', exceptId)
  await trx.updateTable('cases').set({ open: 0, proposed: null }).where('id', 'in', ids).execute()
  await discardCasesOfMember(trx, userId, exceptId)
}
