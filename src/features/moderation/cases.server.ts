import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import type { CasesTable, DecisionsTable, TargetKind } from '#db/schema.ts'
import { AppError } from '#lib/errors.ts'
import { MODERATION_TEXTS, OPEN_REVIEWS_MAX } from './moderation.ts'

/** What a case is about. */
export interface CaseTarget {
  kind: TargetKind
  id: string
  dogId: string | null
  /** Ids of its members, a dog's owner first; null for an anonymous one. */
  people: readonly (string | null)[]
}

/** Opens the target's case, or reopens it, and counts its open reports. @returns the case's id */
export async function openCase(
  trx: Db,
  { kind, id: thing_id, dogId: dog_id, people }: CaseTarget,
  cause: CasesTable['cause'],
  now: number,
): Promise<string> {
  const user_id = people.find((id) => id !== null) ?? null
  const { reports } = await trx
    .selectFrom('reports')
    .select((eb) => eb.fn.countAll<number>().as('reports'))
    .where('kind', '=', kind)
    .where('thing_id', '=', thing_id)
    .where('closed_at', 'is', sql.lit(null))
    .executeTakeFirstOrThrow()
  const values = { kind, thing_id, cause, dog_id, user_id, reports, created_at: now, latest_at: now }
  const { id } = await trx
    .insertInto('cases')
    .values({ id: randomUUID(), ...values })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'thing_id']).doUpdateSet({ reports, open: 1, latest_at: now, user_id }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Assigns the case of an anonymous target to the member who claimed it: its decisions are erased with their account. */
export const assignCaseMember = (trx: Db, kind: TargetKind, targetId: string, userId: string) =>
  trx
    .updateTable('cases')
    .set({ user_id: userId })
    .where('kind', '=', kind)
    .where('thing_id', '=', targetId)
    .where('user_id', 'is', null)
    .execute()

/**
 * Notes that its author changed the target: an approval by the admin was of what it was before (`wasApprovedByAdmin`, reports).
 * Stores nothing where nobody has reported it. `edited_at` is also the version that an approval names, so it only grows and is
 * never earlier than a decision already made, whatever the clock says.
 */
export const markTargetEdited = (trx: Db, kind: TargetKind, targetId: string, now: number) =>
  trx
    .updateTable('cases')
    .set({
      edited_at: sql<number>`max(edited_at + 1, ${now},
        coalesce((SELECT max(created_at) FROM decisions WHERE case_id = cases.id), 0))`,
    })
    .where('kind', '=', kind)
    .where('thing_id', '=', targetId)
    .execute()

/** Counts the target's open reports anew: one that came in while others were being closed counted them, too. */
export const recountOpenReports = (trx: Db, kind: TargetKind, targetId: string) =>
  trx
    .updateTable('cases')
    .set((eb) => ({
      reports: eb
        .selectFrom('reports as r')
        .select((r) => r.fn.countAll<number>().as('reports'))
        .where('r.kind', '=', kind)
        .where('r.thing_id', '=', targetId)
        .where('r.closed_at', 'is', sql.lit(null)),
    }))
    .where('kind', '=', kind)
    .where('thing_id', '=', targetId)
    .execute()

/** Marks the case as closed. The caller closes its reports. */
export const markCaseClosed = (trx: Db, id: string) =>
  trx.updateTable('cases').set({ open: 0, reports: 0 }).where('id', '=', id).execute()

/** Puts the case back in the queue, after an appeal. */
export const reopenCase = (trx: Db, id: string, now: number) =>
  trx.updateTable('cases').set({ open: 1, latest_at: now }).where('id', '=', id).execute()

/** Moves the case to the target's new id: a restored photo gets another address. */
export const renameCaseTarget = (trx: Db, kind: TargetKind, before: string, after: string) =>
  trx.updateTable('cases').set({ thing_id: after }).where('kind', '=', kind).where('thing_id', '=', before).execute()

/** Counts one open report less, when its sender's account is erased. */
export const decrementOpenReports = (trx: Db, kind: TargetKind, targetId: string) =>
  trx
    .updateTable('cases')
    .set({ reports: sql`reports - 1` })
    .where('kind', '=', kind)
    .where('thing_id', '=', targetId)
    .where('reports', '>', 0)
    .execute()

export interface NewDecision {
  caseId: string | null
  kind: TargetKind
  targetId: string
  /** The target in words that outlive it. */
  what: string
  deed: DecisionsTable['deed']
  /** Null for an automatic decision. */
  adminId: string | null
  reason: string
  until?: number | null
  /** Ids of the members it concerns; they may appeal. */
  people: readonly (string | null)[]
}

/** Adds a decision to the permanent log. The caller notifies the members. @returns the decision's id */
export async function writeDecision(trx: Db, decision: NewDecision, now: number): Promise<string> {
  const {
    caseId: case_id,
    targetId: thing_id,
    adminId: admin_id,
    kind,
    what,
    deed,
    reason,
    until = null,
    people,
  } = decision
  const id = randomUUID()
  await trx
    .insertInto('decisions')
    .values({ id, case_id, kind, thing_id, what, deed, admin_id, reason, until, created_at: now })
    .execute()
  for (const user_id of new Set(people.filter((userId) => userId !== null)))
    await trx
      .insertInto('decision_people')
      .values({ decision_id: id, user_id, appeal: null, appeal_at: null, created_at: now })
      .execute()
  return id
}

/** Stores a member's appeal. The caller checks that they may send one. */
export const writeAppeal = (trx: Db, decisionId: string, userId: string, appeal: string, now: number) =>
  trx
    .updateTable('decision_people')
    .set({ appeal, appeal_at: now })
    .where('decision_id', '=', decisionId)
    .where('user_id', '=', userId)
    .execute()

/** The open cases of what a member waits for; by index cases_user. */
const selectOpenReviews = (db: Db, userId: string) =>
  db
    .selectFrom('cases')
    .where('user_id', '=', userId)
    .where('cause', 'in', ['words', 'anonymous'])
    .where('open', '=', 1)

/**
 * Call it before the first write of what may open a review: a refusal then drops no page from the cache.
 * @throws AppError 429 for a member of whom as many wait for the admin as may
 */
export async function assertReviewRoom(trx: Db, people: CaseTarget['people']): Promise<void> {
  const userId = people.find((id) => id !== null)
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

/**
 * Closes cases, at most `limit`, that only reports of banned members hold open, the given one's among them. A case stays open where
 * something else waits for the admin: a target that is hidden, or an appeal. The caller closes the reports.
 * @returns their targets
 */
export async function closeCasesReportedByBanned(
  trx: Db,
  userId: string,
  limit: number,
  now: number,
): Promise<Pick<CasesTable, 'kind' | 'thing_id'>[]> {
  const cases = await trx
    .selectFrom('reports as own')
    .innerJoin('cases as c', (join) => join.onRef('c.kind', '=', 'own.kind').onRef('c.thing_id', '=', 'own.thing_id'))
    .select(['c.id', 'c.kind', 'c.thing_id'])
    .where('own.user_id', '=', userId)
    .where('own.closed_at', 'is', sql.lit(null))
    // The + leaves out the indexes of open cases: the queue may be long, the member's reports are few.
    .where(sql`+c.open`, '=', 1)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('reports as r')
            .leftJoin('bans as b', 'b.user_id', 'r.user_id')
            .select('r.id')
            .whereRef('r.kind', '=', 'c.kind')
            .whereRef('r.thing_id', '=', 'c.thing_id')
            .where('r.closed_at', 'is', sql.lit(null))
            .where((eb) => eb.or([eb('b.user_id', 'is', null), eb('b.until', '<=', now)])),
        ),
      ),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('held as h')
            .select('h.thing_id')
            .whereRef('h.kind', '=', 'c.kind')
            .whereRef('h.thing_id', '=', 'c.thing_id'),
        ),
      ),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('decisions as d')
            .innerJoin('decision_people as a', 'a.decision_id', 'd.id')
            .select('d.id')
            .whereRef('d.case_id', '=', 'c.id')
            .where('a.appeal', 'is not', null),
        ),
      ),
    )
    .limit(limit)
    .execute()
  for (const { id } of cases) await markCaseClosed(trx, id)
  return cases
}

/**
 * Opens a case for what was quarantined without a report, and logs that automatic decision. Call it in the transaction that
 * quarantines.
 * @throws AppError 429 for a member of whom too many are open
 */
export async function openReviewCase(
  trx: Db,
  target: CaseTarget & { what: string },
  cause: 'words' | 'anonymous',
  reason: string,
  now: number,
): Promise<void> {
  await assertReviewRoom(trx, target.people)
  const caseId = await openCase(trx, target, cause, now)
  const { kind, id: targetId, what, people } = target
  await writeDecision(trx, { caseId, kind, targetId, what, deed: 'hold', adminId: null, reason, people }, now)
}
