import { sql } from 'kysely'
import { runInBatches } from '#db/batches.ts'
import type { Db } from '#db/client.ts'
import { type NewDecision, markCaseClosed, writeDecision } from '#features/moderation/cases.server.ts'
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

/**
 * Closes a case and its reports. Call it in the action's transaction, and `notifyReporters` after the commit.
 * One statement closes the reports: they are at most one a member.
 * @returns who reported it
 */
export async function closeCase(
  trx: Db,
  { id, kind, thing_id }: { id: string; kind: TargetKind; thing_id: string },
  now = Date.now(),
): Promise<string[]> {
  const closed = await trx
    .updateTable('reports')
    .set({ closed_at: now, origin: null })
    .where('kind', '=', kind)
    .where('thing_id', '=', thing_id)
    .where('closed_at', 'is', sql.lit(null))
    .returning('user_id')
    .execute()
  await markCaseClosed(trx, id)
  return closed.flatMap(({ user_id }) => user_id ?? [])
}

/** Members notified in one transaction, each with five statements. */
const MEMBERS_PER_BATCH = 20

/** Notifies members who reported something of the decision, in batches. Call it outside a transaction. */
export async function notifyReporters(
  db: Db,
  userIds: readonly string[],
  action: DecisionAction,
  now = Date.now(),
): Promise<void> {
  const notification = toReporterNotification(action)
  const left = notification ? [...userIds] : []
  await runInBatches(db, MEMBERS_PER_BATCH, async (trx, limit) => {
    const batch = left.splice(0, limit)
    // Who has deleted their account meanwhile has no bell.
    const members =
      batch.length > 0 ? await trx.selectFrom('users').select('id').where('id', 'in', batch).execute() : []
    for (const { id } of members) await notify(trx, { userId: id, type: 'other', ...notification! }, now)
    return batch.length
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
