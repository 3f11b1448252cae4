import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { openCase } from '#features/moderation/cases.server.ts'
import { madridDay } from '#lib/dates.ts'
import { invalid, unauthenticated } from '#lib/errors.ts'
import { hideTarget } from './cases/target-visibility.server.ts'
import { logDecision, notifyAdmin } from './decisions/decision-log.server.ts'
import { hashReportOrigin } from './report-origin.server.ts'
import { REPORT_TEXTS, type ReportInput } from './reports.ts'
import { findReviewTarget, getReportTarget } from './report-target.server.ts'

/** Who asks; null without a session. */
type Requester = { id: string } | null

const DAY_MS = 86_400_000
/**
 * Whose reports count towards hiding by itself: members for two weeks, who showed a dog or said something a week ago. Others
 * may report as well, to the admin.
 */
const MIN_ACCOUNT_AGE_MS = 14 * DAY_MS
const MIN_PARTICIPATION_AGE_MS = 7 * DAY_MS

/**
 * Tells the admin of a thing, once while it is open: a second time changes nothing.
 * @param network where it comes from (`clientIp`); kept as a hash of the day
 * @throws AppError 401; 403 for who may not write; 404 for what is not there; 422 for one's own
 */
export async function submitReport(
  db: Db,
  user: Requester,
  input: ReportInput,
  network: string,
  now = Date.now(),
): Promise<{ reported: true; again: boolean }> {
  if (!user) throw unauthenticated(REPORT_TEXTS.signIn)
  return db.transaction().execute(async (trx) => {
    await assertNotBanned(trx, user.id, now)
    const thing = await getReportTarget(trx, input.kind, input.id)
    if (thing.people.includes(user.id)) throw invalid(REPORT_TEXTS.own)
    const { created_at } = await trx
      .selectFrom('users')
      .select('created_at')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('reports')
      .values({
        id: randomUUID(),
        kind: thing.kind,
        thing_id: thing.id,
        user_id: user.id,
        reason: input.reason,
        words: input.words,
        origin: await hashReportOrigin(trx, network, now),
        counts: now - created_at >= MIN_ACCOUNT_AGE_MS && (await hasParticipatedLongEnough(trx, user.id, now)) ? 1 : 0,
        created_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!numInsertedOrUpdatedRows) return { reported: true, again: true }
    await openCase(trx, thing, 'reports', now)
    return { reported: true, again: false }
  })
}

/** Whether they have had a part in the community for a while. */
async function hasParticipatedLongEnough(db: Db, userId: string, now: number): Promise<boolean> {
  const since = now - MIN_PARTICIPATION_AGE_MS
  const dog = db
    .selectFrom('member_dogs')
    .select('dog_id')
    .where('user_id', '=', userId)
    .where('created_at', '<=', since)
  if (await dog.limit(1).executeTakeFirst()) return true
  const comment = db.selectFrom('comments').select('id').where('user_id', '=', userId).where('created_at', '<=', since)
  return (await comment.limit(1).executeTakeFirst()) !== undefined
}

/** So many members, from as many networks on one day, hide a thing by themselves until the admin has looked. */
export const REPORTS_TO_HIDE = 5

/**
 * Hides what several members reported who have nothing to do with each other as far as can be told: at home here, from
 * different networks. Networks can be told apart on one day alone, since the key of their digests goes with it; whoever
 * reports from one network day after day thus counts once. What the admin let stand once is left alone. Tells its people and the admin.
 * @returns whether it was hidden
 */
export async function autoHideTarget(
  db: Db,
  dataDir: string,
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
  const members = countIndependentReporters(reports)
  if (members < REPORTS_TO_HIDE || (await wasApprovedByAdmin(db, kind, id))) return false
  const thing = await findReviewTarget(db, kind, id)
  if (!thing || thing.held || (kind === 'photo' && (await isOnlyPhoto(db, thing.dogId)))) return false
  const theCase = await db
    .selectFrom('cases')
    .select('id')
    .where('kind', '=', kind)
    .where('thing_id', '=', id)
    .executeTakeFirstOrThrow()
  const { what, people } = thing
  const done = { caseId: theCase.id, kind, thingId: id, what, deed: 'auto-hide', adminId: null, people } as const
  const also = async (trx: Db) => {
    await logDecision(trx, { ...done, reason: `${members} denuncias de personas distintas.` }, now)
    const line = { title: 'Ocultado por varias denuncias', content: what, actorId: people[0] ?? null }
    await notifyAdmin(trx, adminEmail, line, now)
  }
  await hideTarget(db, dataDir, thing, 'reports', also, now)
  return true
}

/** The most members who reported from as many networks on one day. */
function countIndependentReporters(
  reports: readonly { user_id: string | null; origin: string | null; created_at: number }[],
): number {
  const days = Object.values(Object.groupBy(reports, ({ created_at }) => madridDay(created_at)))
  const differing = (day: typeof reports, key: 'user_id' | 'origin') =>
    new Set(day.map((row) => row[key]).filter(Boolean)).size
  return Math.max(0, ...days.map((day) => Math.min(differing(day!, 'user_id'), differing(day!, 'origin'))))
}

/** The admin looked at it before and let it stand. */
const wasApprovedByAdmin = async (db: Db, kind: ReportInput['kind'], thingId: string) =>
  (await db
    .selectFrom('decisions as d')
    .innerJoin('cases as c', 'c.id', 'd.case_id')
    .select('d.id')
    .where('c.kind', '=', kind)
    .where('c.thing_id', '=', thingId)
    .where('d.deed', 'in', ['dismiss', 'restore'])
    .executeTakeFirst()) !== undefined

/** A dog's only photo is not hidden alone: the admin decides of the dog. */
async function isOnlyPhoto(db: Db, dogId: string | null): Promise<boolean> {
  const rows = await db.selectFrom('dog_images').select('url').where('dog_id', '=', dogId).limit(2).execute()
  return rows.length < 2
}
