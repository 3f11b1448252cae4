import { sql } from 'kysely'
import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import {
  closeCasesReportedByBanned,
  type NewDecision,
  recountOpenReports,
  writeDecision,
} from '#features/moderation/cases.server.ts'
import { notify, notifyAdmin } from '#features/notifications/notify.server.ts'
import { ALIAS_PLACEHOLDER } from '#lib/text/names.ts'
import { areReportersNotified, type DecisionAction, describeTarget, GONE_TARGET, isNotified } from './decisions.ts'
import type { ReportTarget } from '#features/reports/report-target.server.ts'
import type { TargetKind } from '#features/reports/target-kinds.ts'

export interface LoggedDecision extends NewDecision {
  /** The target's dog. */
  dogId: string | null
}

/** Whether the notification of a decision has the target's texts, with which it is deleted. */
function quotesTarget({ kind, action }: NewDecision): boolean {
  // For an appeal, the member must know what was deleted.
  return kind !== 'profile' && action !== 'delete' && action !== 'ban' && action !== 'unban'
}

/** Logs a decision and notifies the members it concerns. Call it in the action's transaction. @returns the decision's id */
export async function logDecision(trx: Trx, { dogId, ...decision }: LoggedDecision, now = Date.now()): Promise<string> {
  const { kind, targetId, label, action, reason, until = null } = decision
  // Members do not learn of a note or of dismissed reports.
  const memberIds = action === 'note' || action === 'dismiss' ? [] : decision.memberIds
  const id = await writeDecision(trx, { ...decision, memberIds }, now)
  const target = quotesTarget(decision) ? { kind, id: targetId, dogId } : null
  for (const userId of new Set(memberIds))
    if (userId && isNotified(action))
      await notify(trx, `decision-${action}`, { userId, target, what: describeTarget(kind, label), reason, until }, now)
  return id
}

/** Reports closed in one transaction. Each takes a few statements, most of them for its sender's notification. */
const REPORTS_PER_BATCH = 20

/**
 * Closes the open reports of a target whose case is closed (`markCaseClosed`) and notifies their senders, in batches. Call it outside
 * a transaction. Reports that come in meanwhile reopen the case and stay open. What a crash leaves, `closeLeftReports` closes.
 */
export async function closeReports(
  db: Db,
  { kind, thing_id }: { kind: TargetKind; thing_id: string },
  outcome: DecisionAction | 'gone',
  now = Date.now(),
): Promise<void> {
  await runInBatches(db, REPORTS_PER_BATCH, async (trx, limit) => {
    const closed = await trx
      .updateTable('reports')
      .set({ closed_at: now, origin: null })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('reports')
          .select('id')
          .where('kind', '=', kind)
          .where('thing_id', '=', thing_id)
          .where('closed_at', 'is', sql.lit(null))
          .where('created_at', '<=', now)
          .limit(limit),
      )
      .returning('user_id')
      .execute()
    // A deleted account leaves no report: who is named here has a bell.
    for (const { user_id } of closed)
      if (user_id && areReportersNotified(outcome)) await notify(trx, `report-${outcome}`, { userId: user_id }, now)
    if (closed.length < limit) await recountOpenReports(trx, kind, thing_id)
    return closed.length
  })
}

/** Cases closed in one transaction, each with the reports of its banned senders. */
const CASES_PER_BATCH = 10

/**
 * Takes the cases of a banned member's reports out of the queue, where only banned members reported (`closeCasesReportedByBanned`), in
 * batches and without a notification. Call it outside a transaction.
 */
export const closeCasesOfBannedReporter = (db: Db, userId: string, now = Date.now()): Promise<number> =>
  runInBatches(db, CASES_PER_BATCH, async (trx, limit) => {
    const cases = await closeCasesReportedByBanned(trx, userId, limit, now)
    for (const { kind, thing_id } of cases)
      await trx
        .updateTable('reports')
        .set({ closed_at: now, origin: null })
        .where('kind', '=', kind)
        .where('thing_id', '=', thing_id)
        .where('closed_at', 'is', sql.lit(null))
        .execute()
    return cases.length
  })

/**
 * Notifies the admin of a case. `actorId`: the member it names, with whose account the notification is erased.
 * @param target what it is about, with which the notification goes; undefined once that is deleted
 */
export async function notifyOfCase(
  trx: Trx,
  adminEmail: string | undefined,
  kind: 'auto-hidden' | 'appeal',
  { actorId, target }: { actorId: string | null; target: ReportTarget | undefined },
  now = Date.now(),
): Promise<void> {
  const what = describeForAdmin(target, actorId)
  await notifyAdmin(trx, adminEmail, kind, { actorId, what, target: target ?? null }, now)
}

/** A profile is named as it is called when the notification is read. */
function describeForAdmin(target: ReportTarget | undefined, actorId: string | null): string {
  if (!target) return GONE_TARGET
  return target.kind === 'profile' && target.id === actorId ? ALIAS_PLACEHOLDER : target.label
}
