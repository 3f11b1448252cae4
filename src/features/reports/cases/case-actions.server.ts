import type { Selectable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { CasesTable } from '#db/schema.ts'
import { ban, unban } from '#features/moderation/bans.server.ts'
import { findQuarantined } from '#features/moderation/quarantine.server.ts'
import { applyPhotoMoves } from '#features/photos/apply-moves.server.ts'
import { type AdminRequester, assertAdmin } from '#lib/auth/admin.ts'
import { AppError, invalid, notFound } from '#lib/errors.ts'
import { type CaseAction, DECISION_TEXTS, type DecisionInput } from '#features/reports/decisions/decisions.ts'
import { hideTarget, deleteTarget, restoreTarget } from './target-visibility.server.ts'
import { closeCase, type Decided, logDecision } from '#features/reports/decisions/decision-log.server.ts'
import { findReviewTarget, type ReviewTarget } from '#features/reports/report-target.server.ts'

export type CaseRow = Selectable<CasesTable>

const DAY_MS = 86_400_000

/**
 * Does what the admin decides of a case, writes it down and tells whom it concerns. What settles the thing (hide, restore,
 * delete, dismiss) closes the case; a word, a ban or a note leaves it open.
 * @throws AppError 401, 403; 404 for the case or a thing that went; 409 for what does not fit how the thing stands; 422
 */
export async function applyCaseAction(
  db: Db,
  dataDir: string,
  asker: AdminRequester,
  caseId: string,
  input: DecisionInput,
  now = Date.now(),
): Promise<void> {
  const adminId = assertAdmin(asker)
  const theCase = await db.selectFrom('cases').selectAll().where('id', '=', caseId).executeTakeFirst()
  if (!theCase) throw notFound('Este caso no existe.')
  const thing = await findReviewTarget(db, theCase.kind, theCase.thing_id)
  const until = input.deed === 'ban' && input.days !== null ? now + input.days * DAY_MS : null
  const log = (trx: Db, fields: Partial<Decided> = {}) =>
    logDecision(
      trx,
      {
        caseId,
        kind: theCase.kind,
        thingId: theCase.thing_id,
        what: thing?.what ?? 'Algo que ya no está',
        deed: input.deed,
        adminId,
        reason: input.reason,
        until,
        people: thing?.people ?? [],
        ...fields,
      },
      now,
    )
  const settle = async (trx: Db) => {
    await log(trx)
    await closeCase(trx, theCase, input.deed, now)
  }
  await ACTION_HANDLERS[input.deed]({ db, dataDir, theCase, thing, adminId, input, until, now, log, settle })
}

interface ActionContext {
  db: Db
  dataDir: string
  theCase: CaseRow
  /** Undefined once it is gone. */
  thing: ReviewTarget | undefined
  adminId: string
  input: DecisionInput
  until: number | null
  now: number
  log: (trx: Db, fields?: Partial<Decided>) => Promise<string>
  settle: (trx: Db) => Promise<void>
}

const requireTarget = (thing: ReviewTarget | undefined): ReviewTarget => {
  if (!thing) throw notFound('Esto ya no está: descarta las denuncias.')
  return thing
}
/** The member behind the case. */
const requireCaseMember = ({ theCase, thing }: ActionContext): string => {
  const id = thing?.people[0] ?? theCase.user_id
  if (!id) throw new AppError(409, DECISION_TEXTS.nobody)
  return id
}

const ACTION_HANDLERS: Record<CaseAction, (work: ActionContext) => Promise<void>> = {
  hide: async ({ db, dataDir, thing, now, settle }) => {
    const given = requireTarget(thing)
    // Held already (by the filter, by reports): from now on by a decision.
    if (given.held) {
      await db.transaction().execute(settle)
      return applyPhotoMoves(db, dataDir, given.dogId)
    }
    await hideTarget(db, dataDir, given, 'admin', settle, now)
  },
  restore: async ({ db, dataDir, theCase, now, settle }) => {
    const held = await findQuarantined(db, theCase.kind, theCase.thing_id)
    if (!held) throw new AppError(409, DECISION_TEXTS.shown)
    await restoreTarget(db, dataDir, held, settle, now)
  },
  delete: async ({ db, dataDir, thing, settle }) => {
    const given = requireTarget(thing)
    await db.transaction().execute(async (trx) => {
      await deleteTarget(trx, given)
      await settle(trx)
    })
    await applyPhotoMoves(db, dataDir, given.dogId)
  },
  dismiss: async ({ db, thing, settle }) => {
    if (thing?.held) throw new AppError(409, DECISION_TEXTS.held)
    await db.transaction().execute(settle)
  },
  warn: (work) => {
    const people = [requireCaseMember(work)]
    return work.db.transaction().execute(async (trx) => void (await work.log(trx, { people })))
  },
  ban: async (work) => {
    const { db, adminId, input, until, now, log } = work
    const userId = requireCaseMember(work)
    if (userId === adminId) throw invalid(DECISION_TEXTS.self)
    await db.transaction().execute(async (trx) => {
      await ban(trx, userId, { until, reason: input.reason }, now)
      await log(trx, { people: [userId] })
    })
  },
  unban: async (work) => {
    const userId = requireCaseMember(work)
    await work.db.transaction().execute(async (trx) => {
      await unban(trx, userId)
      await work.log(trx, { people: [userId] })
    })
  },
  note: ({ db, log }) => db.transaction().execute(async (trx) => void (await log(trx, { people: [] }))),
}
