import type { Db } from '#db/client.ts'
import { reopenCase, writeAppeal } from '#features/moderation/cases.server.ts'
import { AppError, forbidden, notFound, unauthenticated } from '#lib/errors.ts'
import { APPEALABLE_ACTIONS, DECISION_TEXTS } from './decisions.ts'
import { notifyAdmin } from './decision-log.server.ts'
import type { OwnDecision } from '#features/reports/cases/case-queue.ts'

/** Who asks; null without a session. */
type Requester = { id: string } | null

/** What was decided about a member's things, newest first, by decision_people_user. */
export async function listOwnDecisions(db: Db, userId: string, limit = 100): Promise<OwnDecision[]> {
  const rows = await db
    .selectFrom('decision_people as a')
    .innerJoin('decisions as d', 'd.id', 'a.decision_id')
    .select(['d.id', 'd.kind', 'd.what', 'd.deed', 'd.reason', 'd.until', 'd.created_at', 'a.appeal'])
    .where('a.user_id', '=', userId)
    .orderBy('a.created_at', 'desc')
    .orderBy('a.decision_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, open: row.appeal === null && APPEALABLE_ACTIONS.includes(row.deed) }))
}

/**
 * A member answers a decision about something of theirs, once; who may not write may answer, too. The case comes back to
 * the queue.
 * @throws AppError 401, 404; 403 for a decision about somebody else; 409 for a second answer, or where there is none to give
 */
export async function submitAppeal(
  db: Db,
  user: Requester,
  decisionId: string,
  text: string,
  adminEmail: string | undefined,
  now = Date.now(),
): Promise<void> {
  if (!user) throw unauthenticated()
  await db.transaction().execute(async (trx) => {
    const decision = await trx.selectFrom('decisions').selectAll().where('id', '=', decisionId).executeTakeFirst()
    if (!decision) throw notFound('Esta decisión no existe.')
    const part = await trx
      .selectFrom('decision_people')
      .select('appeal')
      .where('decision_id', '=', decisionId)
      .where('user_id', '=', user.id)
      .executeTakeFirst()
    if (!part) throw forbidden('Esta decisión no es sobre algo tuyo.')
    if (part.appeal !== null) throw new AppError(409, DECISION_TEXTS.answered)
    if (!APPEALABLE_ACTIONS.includes(decision.deed)) throw new AppError(409, DECISION_TEXTS.closed)
    await writeAppeal(trx, decisionId, user.id, text, now)
    if (decision.case_id) await reopenCase(trx, decision.case_id, now)
    const line = { title: 'Respuesta a una decisión', content: decision.what, actorId: user.id }
    await notifyAdmin(trx, adminEmail, line, now)
  })
}
