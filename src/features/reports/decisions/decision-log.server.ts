import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { type NewDecision, markCaseClosed, writeDecision } from '#features/moderation/cases.server.ts'
import { notify } from '#features/notifications/notifications.server.ts'
import { paths } from '#lib/paths.ts'
import { type DecisionAction, toDecisionNotification, toReporterNotification } from './decisions.ts'
import type { TargetKind } from '#features/reports/target-kinds.ts'

export type { NewDecision as Decided }

/** Writes down what was done and tells whom it concerns. Call it in the deed's own transaction. */
export async function logDecision(trx: Db, done: NewDecision, now = Date.now()): Promise<string> {
  const { kind, what, deed, reason, until = null } = done
  // What the admin merely notes or lets pass is nobody's but theirs.
  const people = deed === 'note' || deed === 'dismiss' ? [] : done.people
  const id = await writeDecision(trx, { ...done, people }, now)
  const line = toDecisionNotification(deed, { kind, what, reason, until })
  for (const userId of new Set(people))
    if (line && userId) await notify(trx, { userId, type: 'other', ...line, link: paths.decisions }, now)
  return id
}

/** Settles a case: its reports are closed, and those who sent them told. */
export async function closeCase(
  trx: Db,
  { id, kind, thing_id }: { id: string; kind: TargetKind; thing_id: string },
  deed: DecisionAction,
  now = Date.now(),
): Promise<void> {
  const closed = await trx
    .updateTable('reports')
    .set({ closed_at: now, origin: null })
    .where('kind', '=', kind)
    .where('thing_id', '=', thing_id)
    .where('closed_at', 'is', sql.lit(null))
    .returning('user_id')
    .execute()
  await markCaseClosed(trx, id)
  const line = toReporterNotification(deed)
  for (const { user_id } of closed)
    if (line && user_id) await notify(trx, { userId: user_id, type: 'other', ...line }, now)
}

/** Rings the admin's bell, if there is an admin. `actorId`: whose thing it names; the line goes with their account. */
export async function notifyAdmin(
  trx: Db,
  adminEmail: string | undefined,
  line: { title: string; content: string; actorId: string | null },
  now = Date.now(),
): Promise<void> {
  if (!adminEmail) return
  const admin = await trx.selectFrom('users').select('id').where('email', '=', adminEmail).executeTakeFirst()
  if (admin) await notify(trx, { userId: admin.id, type: 'other', ...line, link: paths.adminQueue }, now)
}
