import type { Selectable } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import type { CasesTable } from '#db/schema.ts'
import { dryRun } from '#db/dry-run.ts'
import { transact } from '#db/transact.ts'
import { publishProposed } from '#features/dogs/write/edit.server.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { emptyDog } from '#features/dogs/empty-dog.server.ts'
import { ban, unban } from '#features/moderation/bans.server.ts'
import { markCaseClosed, markTargetEdited } from '#features/moderation/cases.server.ts'
import { closeReviewsOfBanned } from '#features/moderation/reviews.server.ts'
import { findHidden } from '#features/moderation/content.server.ts'
import { applyPhotoMoves } from '#features/photos/planned-moves.server.ts'
import { type AdminRequester, assertAdmin } from '#lib/auth/current-user.ts'
import { AppError, invalid, notFound } from '#lib/errors.ts'
import {
  APPROVALS,
  type CaseAction,
  DECISION_TEXTS,
  type DecisionInput,
  GONE_TARGET,
} from '#features/reports/decisions/decisions.ts'
import { hideTarget, deleteTarget, showTarget } from './target-visibility.server.ts'
import {
  closeCasesOfBannedReporter,
  closeReports,
  logDecision,
  type LoggedDecision,
} from '#features/reports/decisions/decision-log.server.ts'
import { findReviewTarget, type ReviewTarget } from '#features/reports/report-target.server.ts'
import { DAY_MS } from '#lib/time.ts'

export type CaseRow = Selectable<CasesTable>

/**
 * Applies the admin's decision on a case, logs it and notifies the members it concerns. Hide, restore, delete and dismiss
 * close the case; a warning, a ban or a note leaves it open.
 * @param input an approval (restore, dismiss) has the version that the admin saw; a warning or a ban the member
 * @throws AppError 401, 403; 404 for a missing case or target; 409 where the action does not fit the target's state, or approves a
 *   version that its author has changed, or is against a member who has nothing to do with it; 422
 */
export async function applyCaseAction(
  db: Db,
  dataDir: string,
  requester: AdminRequester,
  caseId: string,
  input: DecisionInput,
  now = Date.now(),
): Promise<void> {
  const adminId = assertAdmin(requester)
  const { deed: action } = input
  const reportCase = await db.selectFrom('cases').selectAll().where('id', '=', caseId).executeTakeFirst()
  if (!reportCase) throw notFound('Este caso no existe.')
  const target = await findReviewTarget(db, reportCase.kind, reportCase.thing_id)
  const until = action === 'ban' && input.days !== null ? now + input.days * DAY_MS : null
  const writeLog = (trx: Trx, fields: Partial<LoggedDecision> = {}) =>
    logDecision(
      trx,
      {
        caseId,
        kind: reportCase.kind,
        targetId: reportCase.thing_id,
        dogId: reportCase.dog_id,
        label: target?.label ?? GONE_TARGET,
        action,
        adminId,
        reason: input.reason,
        until,
        memberIds: target?.memberIds ?? [],
        ...fields,
      },
      now,
    )
  let isClosed = false
  const logAndClose = async (trx: Trx, publishes = false) => {
    // In the transaction of the action: no edit comes between this and the approval.
    if (APPROVALS.includes(action)) await assertVersion(trx, caseId, input.version)
    await writeLog(trx, { reason: input.reason || (publishes ? 'Con el texto nuevo.' : '') })
    const { proposed, user_id: userId, dog_id: dogId } = reportCase
    if (proposed !== null && userId !== null && APPROVALS.includes(action) && !publishes)
      await notify(trx, 'text-dropped', { userId, dogId, reason: input.reason }, now)
    await markCaseClosed(trx, caseId)
    isClosed = true
  }
  await ACTION_HANDLERS[action]({ db, dataDir, reportCase, target, adminId, input, until, now, writeLog, logAndClose })
  if (!isClosed) return
  await closeReports(db, reportCase, target || action !== 'dismiss' ? action : 'gone', now)
}

/** @throws AppError 409 where the target's author has edited it since the version was read */
async function assertVersion(trx: Trx, caseId: string, version: number | undefined): Promise<void> {
  if (version === undefined) return
  const { edited_at } = await trx
    .selectFrom('cases')
    .select('edited_at')
    .where('id', '=', caseId)
    .executeTakeFirstOrThrow()
  if (edited_at !== version) throw new AppError(409, DECISION_TEXTS.changed)
}

interface ActionContext {
  db: Db
  dataDir: string
  reportCase: CaseRow
  /** Undefined once it is deleted. */
  target: ReviewTarget | undefined
  adminId: string
  input: DecisionInput
  until: number | null
  now: number
  /** Logs the decision; `fields` replace the usual ones. Returns its id. */
  writeLog: (trx: Trx, fields?: Partial<LoggedDecision>) => Promise<string>
  /** Logs the decision and closes the case; `publishes`: with the texts that wait in it, which otherwise go. */
  logAndClose: (trx: Trx, publishes?: boolean) => Promise<void>
}

const requireTarget = (target: ReviewTarget | undefined): ReviewTarget => {
  if (!target) throw notFound('Esto ya no está: descarta las denuncias.')
  return target
}

/**
 * Ids of the members that the admin may warn or ban for a case: the author of content that the filter hid; for a reported
 * dog its owner first, then its other people, since a report does not say whose text it means.
 */
export function listCaseMembers(
  { cause, user_id }: Pick<CaseRow, 'cause' | 'user_id'>,
  target: ReviewTarget | undefined,
): string[] {
  if (cause === 'reports' && target) return target.memberIds
  return user_id ? [user_id] : []
}

/**
 * Id of the member that the action is against, as the admin's form showed it.
 * @throws AppError 409 for a case without members, or where this one no longer belongs to it
 */
const requireCaseMember = ({ reportCase, target, input }: ActionContext): string => {
  const [first, ...others] = listCaseMembers(reportCase, target)
  if (!first) throw new AppError(409, DECISION_TEXTS.nobody)
  const id = input.member ?? first
  if (id !== first && !others.includes(id)) throw new AppError(409, DECISION_TEXTS.otherMember)
  return id
}

const ACTION_HANDLERS: Record<CaseAction, (context: ActionContext) => Promise<void>> = {
  // Of what the filter or reports have hidden already the decision confirms it.
  hide: ({ db, target, now, logAndClose }) => hideTarget(db, requireTarget(target), 'admin', logAndClose, now),
  restore: async ({ db, reportCase, now, logAndClose }) => {
    const { kind, thing_id, proposed } = reportCase
    const item = await findHidden(db, kind, thing_id)
    if (!item && proposed !== null)
      return transact(db, async (trx) => {
        // First: it compares the version that the admin has seen.
        await logAndClose(trx, true)
        await publishProposed(trx, thing_id, proposed, now)
      })
    if (!item) throw new AppError(409, DECISION_TEXTS.notHidden)
    await showTarget(db, item, logAndClose, now)
  },
  delete: async ({ db, dataDir, target, logAndClose }) => {
    const present = requireTarget(target)
    if (present.kind === 'dog') {
      // What fails does so before other members' rows are deleted.
      await dryRun(db, (trx) => logAndClose(trx))
      await emptyDog(db, present.id)
    }
    await transact(db, async (trx) => {
      // First: of a case that is still open and never reviewed nothing would be left to log in.
      await logAndClose(trx)
      await deleteTarget(trx, present)
    })
    await applyPhotoMoves(db, dataDir, present.dogId)
  },
  dismiss: async ({ db, reportCase, target, now, logAndClose }) => {
    if (target?.isHidden) throw new AppError(409, DECISION_TEXTS.hidden)
    await transact(db, async (trx) => {
      await logAndClose(trx)
      // What nobody sees is not approved: once it is public, reports hide it as before.
      if (!target || target.isDogHidden) await markTargetEdited(trx, reportCase.kind, reportCase.thing_id, now)
    })
  },
  warn: (context) => {
    const memberIds = [requireCaseMember(context)]
    return transact(context.db, async (trx) => void (await context.writeLog(trx, { memberIds })))
  },
  ban: async (context) => {
    const { db, reportCase, adminId, input, until, now, writeLog } = context
    const userId = requireCaseMember(context)
    if (userId === adminId) throw invalid(DECISION_TEXTS.self)
    await transact(db, async (trx) => {
      await ban(trx, userId, { until, reason: input.reason }, now)
      await closeReviewsOfBanned(trx, userId, reportCase.id)
      await writeLog(trx, { memberIds: [userId] })
    })
    await closeCasesOfBannedReporter(db, userId, now)
  },
  unban: async (context) => {
    const userId = requireCaseMember(context)
    await transact(context.db, async (trx) => {
      await unban(trx, userId)
      await context.writeLog(trx, { memberIds: [userId] })
    })
  },
  note: ({ db, writeLog }) => transact(db, async (trx) => void (await writeLog(trx, { memberIds: [] }))),
}
