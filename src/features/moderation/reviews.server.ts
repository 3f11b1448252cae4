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

/** The open cases of what is quarantined until the admin has reviewed it: one that somebody reported is none, nor is an appeal of what is public. */
const selectReviews = (db: Db) =>
  db
    .selectFrom('cases as c')
    .innerJoin('held as h', (join) => join.onRef('h.kind', '=', 'c.kind').onRef('h.thing_id', '=', 'c.thing_id'))
    .where('c.cause', 'in', ['words', 'anonymous'])
    .where('c.open', '=', 1)

/** Those of what a member wrote; by index cases_user. */
const selectReviewsOf = (db: Db, userId: string) => selectReviews(db).where('c.user_id', '=', userId)

/**
 * Call it before the first write of what may open a review: a refusal then drops no page from the cache.
 * @param userId who writes it; null for a visitor
 * @throws AppError 429 for a member of whom as many wait for the admin as may
 */
export async function assertReviewRoom(trx: Db, userId: string | null): Promise<void> {
  if (!userId) return
  const { open } = await selectReviewsOf(trx, userId)
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .executeTakeFirstOrThrow()
  if (open >= OPEN_REVIEWS_MAX) throw tooManyReviews(MODERATION_TEXTS.tooManyReviews)
}

const tooManyReviews = (detail: string) => new AppError(429, detail, { retryAfter: 3600 })

/**
 * The same for dogs that visitors added and nobody has claimed, which alone have a claim token: one whose member has deleted the
 * account is not a visitor's.
 * @param max how many may wait; 0: any number
 * @throws AppError 429 where as many wait for the admin as may
 */
export async function assertAnonymousReviewRoom(trx: Db, max: number): Promise<void> {
  if (max === 0) return
  const waiting = await selectReviews(trx)
    .select('c.id')
    // The + leaves out index cases_user, where all closed cases of such dogs are as well.
    .where(sql`+c.user_id`, 'is', null)
    .where('h.claim_hash', 'is not', null)
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
  const ids = selectReviewsOf(trx, userId)
    .select('c.id')
    // Of what a visitor added no decision concerns the member, so no appeal could open its case again.
    .where('c.cause', '=', 'words')
    .where('c.reports', '=', 0)
    .where('c.id', '!=', exceptId)
  await trx.updateTable('cases').set({ open: 0 }).where('id', 'in', ids).execute()
}
