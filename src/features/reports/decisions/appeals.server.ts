import { sql, type SqlBool } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import type { DecisionsTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { reopenCase, writeAppeal } from '#features/moderation/cases.server.ts'
import { HIDING_ACTIONS, targetIsGone } from '#features/moderation/orphaned-cases.server.ts'
import { AppError, forbidden, notFound, unauthenticated } from '#lib/errors.ts'
import { APPEALABLE_ACTIONS, DECISION_TEXTS } from './decisions.ts'
import { notifyOfCase } from './decision-log.server.ts'
import { findReviewTarget } from '#features/reports/report-target.server.ts'
import type { OwnDecision } from '#features/reports/cases/case-queue.ts'
import type { Requester } from '#lib/auth/current-user.ts'

/** Whether the target of a decision `d` is gone; by its case `c`, since a photo that was restored has another id. */
const IS_GONE = sql<SqlBool>`${sql.raw(targetIsGone('d.kind', 'coalesce(c.thing_id, d.thing_id)'))}`

/** Decisions that concern a member, newest first; by index decision_people_user. */
export async function listOwnDecisions(db: Db, userId: string, limit = 100): Promise<OwnDecision[]> {
  const rows = await db
    .selectFrom('decision_people as a')
    .innerJoin('decisions as d', 'd.id', 'a.decision_id')
    .leftJoin('cases as c', 'c.id', 'd.case_id')
    .select([
      'd.id',
      'd.kind',
      'd.what as label',
      'd.deed as action',
      'd.reason',
      'd.until',
      'd.created_at',
      'a.appeal',
    ])
    .select(IS_GONE.as('is_gone'))
    .where('a.user_id', '=', userId)
    .orderBy('a.created_at', 'desc')
    .orderBy('a.decision_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ is_gone, ...row }) => ({
    ...row,
    open:
      row.appeal === null &&
      APPEALABLE_ACTIONS.includes(row.action) &&
      !(is_gone && HIDING_ACTIONS.includes(row.action)),
  }))
}

/**
 * Stores a member's appeal of a decision that concerns them, one per decision, and reopens the case. Banned members may
 * appeal too.
 * @throws AppError 401, 404; 403 for a decision that does not concern them; 409 for a second appeal, an action without appeal, or one
 *   that hid what is deleted since
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
  await transact(db, async (trx) => {
    const decision = await trx
      .selectFrom('decisions as d')
      .leftJoin('cases as c', 'c.id', 'd.case_id')
      .select(['d.case_id', 'd.kind', 'd.thing_id', 'd.deed', IS_GONE.as('is_gone')])
      .where('d.id', '=', decisionId)
      .executeTakeFirst()
    if (!decision) throw notFound('Esta decisión no existe.')
    const involved = await trx
      .selectFrom('decision_people')
      .select('appeal')
      .where('decision_id', '=', decisionId)
      .where('user_id', '=', user.id)
      .executeTakeFirst()
    if (!involved) throw forbidden('Esta decisión no es sobre algo tuyo.')
    if (involved.appeal !== null) throw new AppError(409, DECISION_TEXTS.answered)
    if (!APPEALABLE_ACTIONS.includes(decision.deed)) throw new AppError(409, DECISION_TEXTS.closed)
    if (decision.is_gone && HIDING_ACTIONS.includes(decision.deed)) throw new AppError(409, DECISION_TEXTS.gone)
    await writeAppeal(trx, decisionId, user.id, text, now)
    if (decision.case_id) await reopenCase(trx, decision.case_id, now)
    const target = await findTarget(trx, decision)
    await notifyOfCase(trx, adminEmail, 'appeal', { actorId: user.id, target }, now)
  })
}

/** What a decision was about, as it is today: by its case, since a photo that was restored has another id. */
async function findTarget(
  trx: Trx,
  { case_id, kind, thing_id }: Pick<DecisionsTable, 'case_id' | 'kind' | 'thing_id'>,
) {
  const row = await trx.selectFrom('cases').select('thing_id').where('id', '=', case_id).executeTakeFirst()
  return findReviewTarget(trx, kind, row?.thing_id ?? thing_id)
}
