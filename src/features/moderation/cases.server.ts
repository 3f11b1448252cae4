import { randomUUID } from 'node:crypto'
import { sql, type SqlBool } from 'kysely'
import type { Trx } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { greatest, withoutIndex } from '#db/dialect/expressions.ts'
import type { CasesTable, DecisionsTable, TargetKind } from '#db/schema.ts'
import { ADMIN_ACTIONS, type AdminAction } from './admin-log.ts'
import { logAdminAction } from './admin-log.server.ts'
import { targetIsHidden } from './orphaned-cases.server.ts'

/** What a case is about. */
export interface CaseTarget {
  kind: TargetKind
  id: string
  dogId: string | null
  /** Ids of its members, a dog's owner first; null for an anonymous one. */
  memberIds: readonly (string | null)[]
}

/**
 * Opens the target's case, or reopens it with another cause and member, and counts its open reports.
 * @param user_id who wrote what the filter hid, or the first of a reported target's people; null for a visitor
 * @returns the case's id
 */
export async function openCase(
  trx: Trx,
  { kind, id: thing_id, dogId: dog_id }: CaseTarget,
  { cause, user_id }: Pick<CasesTable, 'cause' | 'user_id'>,
  now: number,
): Promise<string> {
  const reports = await countRows(
    trx
      .selectFrom('reports')
      .where('kind', '=', kind)
      .where('thing_id', '=', thing_id)
      .where('closed_at', 'is', sql.lit(null)),
  )
  const values = { kind, thing_id, cause, dog_id, user_id, reports, created_at: now, latest_at: now }
  const { id } = await trx
    .insertInto('cases')
    .values({ id: randomUUID(), ...values })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'thing_id']).doUpdateSet({ reports, cause, open: 1, latest_at: now, user_id }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Assigns the case of an anonymous target to the member who claimed it: its decisions are erased with their account. */
export const assignCaseMember = (trx: Trx, kind: TargetKind, targetId: string, userId: string) =>
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
 * never earlier than a decision already made, whatever the clock says. Dismissing what is not public calls it too: that approves
 * nothing.
 */
export const markTargetEdited = (trx: Trx, kind: TargetKind, targetId: string, now: number) =>
  trx
    .updateTable('cases')
    .set((eb) => ({
      edited_at: greatest(
        trx,
        eb('edited_at', '+', 1),
        eb.val(now),
        sql<number>`coalesce((SELECT max(created_at) FROM decisions WHERE case_id = cases.id), 0)`,
      ),
    }))
    .where('kind', '=', kind)
    .where('thing_id', '=', targetId)
    .execute()

/** Counts the target's open reports anew: one that came in while others were being closed counted them, too. */
export async function recountOpenReports(trx: Trx, kind: TargetKind, targetId: string): Promise<void> {
  await trx
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
}

/** Marks the case as closed. The caller closes its reports. */
export const markCaseClosed = (trx: Trx, id: string) =>
  trx.updateTable('cases').set({ open: 0, reports: 0, proposed: null }).where('id', '=', id).execute()

/** Puts the case back in the queue, after an appeal. */
export const reopenCase = (trx: Trx, id: string, now: number) =>
  trx.updateTable('cases').set({ open: 1, latest_at: now }).where('id', '=', id).execute()

/** Counts one open report less, when its sender's account is erased. */
export const decrementOpenReports = (trx: Trx, kind: TargetKind, targetId: string) =>
  trx
    .updateTable('cases')
    .set((eb) => ({ reports: eb('reports', '-', 1) }))
    .where('kind', '=', kind)
    .where('thing_id', '=', targetId)
    .where('reports', '>', 0)
    .execute()

export interface NewDecision {
  caseId: string | null
  kind: TargetKind
  targetId: string
  /** The target in words that outlive it. */
  label: string
  action: DecisionsTable['deed']
  /** Null for an automatic decision. */
  adminId: string | null
  reason: string
  until?: number | null
  /** Ids of the members it concerns; they may appeal. */
  memberIds: readonly (string | null)[]
}

/** Adds a decision to the permanent log, and an admin's to theirs. The caller notifies the members. @returns the decision's id */
export async function writeDecision(trx: Trx, decision: NewDecision, now: number): Promise<string> {
  const {
    caseId: case_id,
    targetId: thing_id,
    adminId: admin_id,
    kind,
    label: what,
    action: deed,
    reason,
    until = null,
    memberIds,
  } = decision
  const id = randomUUID()
  await trx
    .insertInto('decisions')
    .values({ id, case_id, kind, thing_id, what, deed, admin_id, reason, until, created_at: now })
    .execute()
  for (const user_id of new Set(memberIds.filter((userId) => userId !== null)))
    await trx
      .insertInto('decision_people')
      .values({ decision_id: id, user_id, appeal: null, appeal_at: null, created_at: now })
      .execute()
  // What an admin's decision was about, and why, is in its own row alone, from which a leaving member is erased.
  const isOfAdmin = (action: string): action is AdminAction => ADMIN_ACTIONS.includes(action as AdminAction)
  if (admin_id !== null && isOfAdmin(deed))
    await logAdminAction(
      trx,
      { adminId: admin_id, action: deed, target: { kind: 'case', id: null }, recordId: id },
      now,
    )
  return id
}

/** Stores a member's appeal. The caller checks that they may send one. */
export const writeAppeal = (trx: Trx, decisionId: string, userId: string, appeal: string, now: number) =>
  trx
    .updateTable('decision_people')
    .set({ appeal, appeal_at: now })
    .where('decision_id', '=', decisionId)
    .where('user_id', '=', userId)
    .execute()

/** Open cases where nothing else than reports waits for the admin: neither a target that is hidden, nor a new text, nor an appeal. */
const selectCasesOfReports = (trx: Trx) =>
  trx
    .selectFrom('cases as c')
    // Not by the indexes of open cases: the queue may be long, the reports of one member or target are few.
    .where(withoutIndex<number>(trx, 'c.open'), '=', 1)
    .where('c.proposed', 'is', null)
    .where((eb) => eb.not(sql<SqlBool>`(${sql.raw(targetIsHidden('c.kind', 'c.thing_id'))})`))
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

/**
 * Takes a case out of the queue that only reports held open, once the last of them is erased, or a dog's new text that is withdrawn: it is closed where the admin has
 * decided something in it, else deleted. Accounts that report and are deleted leave no cases behind.
 */
export async function discardUnreportedCase(trx: Trx, kind: TargetKind, targetId: string): Promise<void> {
  const reportCase = await selectCasesOfReports(trx)
    .leftJoin('decisions as first', 'first.case_id', 'c.id')
    .select(['c.id', 'first.id as decision_id'])
    .where('c.kind', '=', kind)
    .where('c.thing_id', '=', targetId)
    .where((eb) => eb.or([eb('c.cause', '=', 'reports'), eb('c.kind', '=', 'dog')]))
    .where('c.reports', '=', 0)
    .limit(1)
    .executeTakeFirst()
  if (!reportCase) return
  if (reportCase.decision_id === null) await trx.deleteFrom('cases').where('id', '=', reportCase.id).execute()
  else await markCaseClosed(trx, reportCase.id)
}

/** Stores the new texts that wait beside a public dog; null forgets them, with the case where nothing else waits. */
export async function setProposed(trx: Trx, dogId: string, proposed: string | null): Promise<void> {
  await trx.updateTable('cases').set({ proposed }).where('kind', '=', 'dog').where('thing_id', '=', dogId).execute()
  if (proposed === null) await discardUnreportedCase(trx, 'dog', dogId)
}

/**
 * Closes cases, at most `limit`, that only reports of banned members hold open, the given one's among them. A case stays open where
 * something else waits for the admin: a target that is hidden, or an appeal. The caller closes the reports.
 * @returns their targets
 */
export async function closeCasesReportedByBanned(
  trx: Trx,
  userId: string,
  limit: number,
  now: number,
): Promise<Pick<CasesTable, 'kind' | 'thing_id'>[]> {
  const cases = await selectCasesOfReports(trx)
    .innerJoin('reports as own', (join) =>
      join.onRef('own.kind', '=', 'c.kind').onRef('own.thing_id', '=', 'c.thing_id'),
    )
    .select(['c.id', 'c.kind', 'c.thing_id'])
    .where('own.user_id', '=', userId)
    .where('own.closed_at', 'is', sql.lit(null))
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
    .limit(limit)
    .execute()
  for (const { id } of cases) await markCaseClosed(trx, id)
  return cases
}
