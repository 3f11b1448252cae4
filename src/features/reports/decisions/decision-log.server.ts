import { sql } from 'kysely'
import { runInBatches } from '#db/batches.ts'
import type { Db } from '#db/client.ts'
import { type NewDecision, recountOpenReports, writeDecision } from '#features/moderation/cases.server.ts'
import { notify } from '#features/notifications/notifications.server.ts'
import { paths } from '#lib/paths.ts'
import { type DecisionAction, toDecisionNotification, toReporterNotification } from './decisions.ts'
import type { TargetKind } from '#features/reports/target-kinds.ts'

/** Logs a decision and notifies the members it concerns. Call it in the action's transaction. @returns the decision's id */
export async function logDecision(trx: Db, decision: NewDecision, now = Date.now()): Promise<string> {
  const { kind, what, deed: action, reason, until = null } = decision
  // Members do not learn of a note or of dismissed reports.
  const people = action === 'note' || action === 'dismiss' ? [] : decision.people
  const id = await writeDecision(trx, { ...decision, people }, now)
  const notification = toDecisionNotification(action, { kind, what, reason, until })
  for (const userId of new Set(people))
    if (notification && userId)
      await notify(trx, { userId, type: 'other', ...notification, link: paths.decisions }, now)
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
  action: DecisionAction,
  now = Date.now(),
): Promise<void> {
  const notification = toReporterNotification(action)
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
      if (notification && user_id) await notify(trx, { userId: user_id, type: 'other', ...notification }, now)
    if (closed.length < limit) await recountOpenReports(trx, kind, thing_id)
    return closed.length
  })
}

/** Notifies the admin, if the site has one. `actorId`: the member it names, with whose account the notification is erased. */
export async function notifyAdmin(
  trx: Db,
  adminEmail: string | undefined,
  notification: { title: string; content: string; actorId: string | null },
  now = Date.now(),
): Promise<void> {
  if (!adminEmail) return
  const admin = await trx.selectFrom('users').select('id').where('email', '=', adminEmail).executeTakeFirst()
  if (admin) await notify(trx, { userId: admin.id, type: 'other', ...notification, link: paths.adminQueue }, now)
}
