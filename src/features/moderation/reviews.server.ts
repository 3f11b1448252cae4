import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { AppError } from '#lib/errors.ts'
import { type CaseTarget, openCase, writeDecision } from './cases.server.ts'
import { MODERATION_TEXTS, OPEN_REVIEWS_MAX } from './moderation.ts'

/** What is quarantined until the admin has reviewed it. */
export interface NewReview {
  cause: 'words' | 'anonymous'
  /** Shown to the admin. */
  reason: string
  /** Who wrote it; null for a visitor. */
  authorId: string | null
}

/**
 * Opens a case for what was quarantined without a report, and logs that automatic decision. Call it in the transaction that
 * quarantines. The case is the writer's, whose text of a dog may be another member's: they are who it counts for, and whom the admin
 * warns or bans.
 * @throws AppError 429 for a member of whom too many are open
 */
export async function openReviewCase(
  trx: Db,
  target: CaseTarget & { what: string },
  { cause, reason, authorId }: NewReview,
  now: number,
): Promise<void> {
  await assertReviewRoom(trx, authorId)
  const caseId = await openCase(trx, target, { cause, user_id: authorId }, now)
  const { kind, id: targetId, what, people } = target
  await writeDecision(trx, { caseId, kind, targetId, what, deed: 'hold', adminId: null, reason, people }, now)
}

/** The open cases of what a member wrote and waits for; by index cases_user. */
const selectOpenReviews = (db: Db, userId: string) =>
  db
    .selectFrom('cases')
    .where('user_id', '=', userId)
    .where('cause', 'in', ['words', 'anonymous'])
    .where('open', '=', 1)

/**
 * Call it before the first write of what may open a review: a refusal then drops no page from the cache.
 * @param userId who writes it; null for a visitor
 * @throws AppError 429 for a member of whom as many wait for the admin as may
 */
export async function assertReviewRoom(trx: Db, userId: string | null): Promise<void> {
  if (!userId) return
  const { open } = await selectOpenReviews(trx, userId)
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .executeTakeFirstOrThrow()
  if (open >= OPEN_REVIEWS_MAX) throw tooManyReviews(MODERATION_TEXTS.tooManyReviews)
}

const tooManyReviews = (detail: string) => new AppError(429, detail, { retryAfter: 3600 })

/**
 * The same for dogs that visitors added and nobody has claimed.
 * @param max how many may wait; 0: any number
 * @throws AppError 429 where as many wait for the admin as may
 */
export async function assertAnonymousReviewRoom(trx: Db, max: number): Promise<void> {
  if (max === 0) return
  const waiting = await trx
    .selectFrom('cases')
    .select('id')
    .where('open', '=', 1)
    // The + leaves out index cases_user, where all closed cases of such dogs are as well.
    .where(sql`+user_id`, 'is', null)
    .where('cause', 'in', ['words', 'anonymous'])
    .limit(max)
    .execute()
  if (waiting.length >= max) throw tooManyReviews(MODERATION_TEXTS.tooManyAnonymousReviews)
}

/**
 * Closes the cases of what the filter quarantined of a member who is banned, and nobody reported: it stays hidden, and an appeal
 * opens its case again.
 * @param exceptId the case that the admin has before them
 */
export async function closeReviewsOfBanned(trx: Db, userId: string, exceptId: string): Promise<void> {
  const ids = selectOpenReviews(trx, userId)
    .select('id')
    // Of what a visitor added no decision concerns the member, so no appeal could open its case again.
    .where('cause', '=', 'words')
    .where('reports', '=', 0)
    .where('id', '!=', exceptId)
  await trx.updateTable('cases').set({ open: 0 }).where('id', 'in', ids).execute()
}
