import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { transact } from '#db/transact.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { openCase } from '#features/moderation/cases.server.ts'
import { isEstablished } from '#features/moderation/established-members.server.ts'
import { findHidden } from '#features/moderation/content.server.ts'
import { MODERATION_TEXTS } from '#features/moderation/moderation.ts'
import { madridDay } from '#lib/dates.ts'
import { AppError, invalid, unauthenticated } from '#lib/errors.ts'
import { hideTarget } from './cases/target-visibility.server.ts'
import { logDecision, notifyOfCase } from './decisions/decision-log.server.ts'
import { hashReportOrigin } from './report-origin.server.ts'
import { REPORT_TEXTS, type ReportInput } from './reports.ts'
import { findReviewTarget, getReportTarget, isTargetPublic, type ReportTarget } from './report-target.server.ts'
import { DAY_MS, HOUR_SECONDS } from '#lib/time.ts'
import type { Requester } from '#lib/auth/current-user.ts'

/** Cases that the reports of one member may open in a day; those of what others have reported are not counted. */
export const OPENED_CASES_PER_DAY = 30

/**
 * Stores a report and opens its case. A second report of the same target while the first is open changes nothing.
 * @param network IP address (`clientNetwork`); stored as a hash of the day
 * @returns whether the member has an open report of the target already
 * @throws AppError 401; 403 for a banned member; 404 for a missing target; 422 for one's own; 429 for a member whose reports have opened
 *   too many cases
 */
export async function submitReport(
  db: Db,
  user: Requester,
  input: ReportInput,
  network: string,
  now = Date.now(),
): Promise<{ isDuplicate: boolean }> {
  if (!user) throw unauthenticated(REPORT_TEXTS.signIn)
  return transact(db, async (trx) => {
    await assertNotBanned(trx, user.id, now)
    const target = await getReportTarget(trx, input.kind, input.id)
    if (target.memberIds.includes(user.id)) throw invalid(REPORT_TEXTS.own)
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('reports')
      .values({
        id: randomUUID(),
        kind: target.kind,
        thing_id: target.id,
        user_id: user.id,
        reason: input.reason,
        words: input.words,
        origin: await hashReportOrigin(trx, network, now),
        // Those of other members only reach the admin.
        counts: (await isEstablished(trx, user.id, now)) ? 1 : 0,
        created_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!numInsertedOrUpdatedRows) return { isDuplicate: true }
    await assertMayOpenCase(trx, user.id, target, now)
    await openCase(trx, target, { cause: 'reports', user_id: target.memberIds[0] ?? null }, now)
    return { isDuplicate: false }
  })
}

/**
 * Counts the member's reports of the last day, the one just stored among them, that no open report of the same target preceded: these
 * opened its case. Reports that were closed together had one case; by index reports_user.
 * @throws AppError 429, unless the target's case is open already
 */
async function assertMayOpenCase(trx: Trx, userId: string, target: ReportTarget, now: number): Promise<void> {
  const reportCase = await trx
    .selectFrom('cases')
    .select('open')
    .where('kind', '=', target.kind)
    .where('thing_id', '=', target.id)
    .executeTakeFirst()
  if (reportCase?.open === 1) return
  const opened = await countRows(
    trx
      .selectFrom('reports as r')
      .where('r.user_id', '=', userId)
      .where('r.created_at', '>', now - DAY_MS)
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('reports as earlier')
              .select('earlier.id')
              .whereRef('earlier.kind', '=', 'r.kind')
              .whereRef('earlier.thing_id', '=', 'r.thing_id')
              .whereRef('earlier.closed_at', 'is not distinct from', 'r.closed_at')
              .whereRef('earlier.created_at', '<', 'r.created_at'),
          ),
        ),
      ),
  )
  if (opened > OPENED_CASES_PER_DAY) throw new AppError(429, MODERATION_TEXTS.manyReports, { retryAfter: HOUR_SECONDS })
}

/** Members, from as many networks on one day, whose reports hide a target until the admin reviews it. */
export const REPORTS_TO_HIDE = 5

/**
 * Hides a target that enough independent members reported: established ones, from different networks. Networks can be
 * compared within one day only, since the hashes' key changes daily; one network that reports day after day thus counts
 * once. A target that the admin approved is not hidden until its author changes it. Notifies its members and the admin.
 * @returns whether it was hidden
 */
export async function autoHideTarget(
  db: Db,
  { kind, id }: Pick<ReportInput, 'kind' | 'id'>,
  adminEmail: string | undefined,
  now = Date.now(),
): Promise<boolean> {
  const reports = await db
    .selectFrom('reports')
    .select(['user_id', 'origin', 'created_at'])
    .where('kind', '=', kind)
    .where('thing_id', '=', id)
    .where('closed_at', 'is', sql.lit(null))
    .where('counts', '=', 1)
    .execute()
  const reporters = countIndependentReporters(reports)
  if (reporters < REPORTS_TO_HIDE || (await wasApprovedByAdmin(db, kind, id))) return false
  if (await findHidden(db, kind, id)) return false
  const target = await findReviewTarget(db, kind, id)
  if (!target || (kind === 'photo' && (await isOnlyPhoto(db, target.dogId)))) return false
  const reportCase = await db
    .selectFrom('cases')
    .select('id')
    .where('kind', '=', kind)
    .where('thing_id', '=', id)
    .executeTakeFirstOrThrow()
  const { label, memberIds, dogId } = target
  const automatic = { caseId: reportCase.id, action: 'auto-hide', adminId: null } as const
  const decision = { ...automatic, kind, targetId: id, dogId, label, memberIds }
  const logAndNotify = async (trx: Trx) => {
    await logDecision(trx, { ...decision, reason: `${reporters} denuncias de personas distintas.` }, now)
    await notifyOfCase(trx, adminEmail, 'auto-hidden', { actorId: memberIds[0] ?? null, target }, now)
  }
  try {
    await hideTarget(db, target, 'reports', logAndNotify, now)
    return true
  } catch (error) {
    // Another report, or the admin, has hidden or deleted it since.
    if (error instanceof AppError && !(await isTargetPublic(db, kind, id))) return false
    throw error
  }
}

/** Over all days, the maximum of: members who reported on the day, or their networks where those are fewer. */
function countIndependentReporters(
  reports: readonly { user_id: string | null; origin: string | null; created_at: number }[],
): number {
  const days = [...Map.groupBy(reports, ({ created_at }) => madridDay(created_at)).values()]
  const countDistinct = (day: typeof reports, key: 'user_id' | 'origin') =>
    new Set(day.map((row) => row[key]).filter(Boolean)).size
  return Math.max(0, ...days.map((day) => Math.min(countDistinct(day, 'user_id'), countDistinct(day, 'origin'))))
}

/** Whether the admin dismissed its reports or restored it, and its author has not changed it since. */
const wasApprovedByAdmin = async (db: Db, kind: ReportInput['kind'], targetId: string) =>
  (await db
    .selectFrom('decisions as d')
    .innerJoin('cases as c', 'c.id', 'd.case_id')
    .select('d.id')
    .where('c.kind', '=', kind)
    .where('c.thing_id', '=', targetId)
    .where('d.deed', 'in', ['dismiss', 'restore'])
    .whereRef('d.created_at', '>', 'c.edited_at')
    .executeTakeFirst()) !== undefined

/** A dog's only photo is not hidden alone: the admin decides about the dog. */
async function isOnlyPhoto(db: Db, dogId: string | null): Promise<boolean> {
  const rows = await db.selectFrom('dog_images').select('url').where('dog_id', '=', dogId).limit(2).execute()
  return rows.length < 2
}
