import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { addRefusal, noticeRefusalId, removeRefusals } from '#features/contact/refusals.server.ts'
import { closeThreadsOfFound } from '#features/contact/threads.server.ts'
import { logAdminAction } from '#features/moderation/admin-log.server.ts'
import { isLeaving } from '#features/moderation/leaving-members.server.ts'
import { notify } from '#features/notifications/notifications.server.ts'
import { type AdminRequester, assertAdmin } from '#lib/auth/current-user.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { type FoundReportReason, FOUND_TEXTS, type ReviewedClaim, type ReviewedNotice } from './found.ts'
import { matchNotice } from './matching.server.ts'
import { deleteNotices } from './notice.server.ts'

/** What the admin decides: it stays as it is, or goes. */
export type FoundDecision = 'keep' | 'delete'

/** What waits in one page, of each kind. */
const REVIEW_PAGE_SIZE = 50

/** Reports of notices themselves, not of answers. */
const selectNoticeReports = (db: Db) => db.selectFrom('found_reports as r').where('r.claim_id', 'is', null)

/** Notices that wait for the admin: of a sender who is reviewed, or reported by owners. Those of leaving members are out of sight. */
const selectWaiting = (db: Db) =>
  db
    .selectFrom('found_notices as n')
    .where((eb) =>
      eb.or([eb('n.state', '=', 'review'), eb('n.id', 'in', selectNoticeReports(db).select('r.notice_id'))]),
    )
    .where(({ not }) => not(isLeaving('n.member_id')))

/** What waits for the admin, the longest waiting first. @throws AppError 401, 403 */
export async function listFoundReviews(
  db: Db,
  requester: AdminRequester,
): Promise<{ notices: ReviewedNotice[]; claims: ReviewedClaim[] }> {
  assertAdmin(requester)
  const notices = await selectWaiting(db)
    .innerJoin('found_photos as f', 'f.notice_id', 'n.id')
    .leftJoin('profiles as p', 'p.id', 'n.member_id')
    .select(['n.id', 'n.zone', 'n.found_at as foundAt', 'n.coat', 'n.collar', 'n.words', 'n.question', 'n.state'])
    .select(['n.member_id as authorId', 'p.alias', 'f.width', 'f.height'])
    .orderBy('n.created_at')
    .orderBy('n.id')
    .limit(REVIEW_PAGE_SIZE)
    .execute()
  const claims = await db
    .selectFrom('found_reports as r')
    .innerJoin('found_claims as c', 'c.id', 'r.claim_id')
    .leftJoin('profiles as p', 'p.id', 'c.user_id')
    .select(['c.id', 'c.answer', 'c.user_id as authorId', 'p.alias', 'r.reason'])
    .where(({ not }) => not(isLeaving('c.user_id')))
    .orderBy('r.created_at')
    .orderBy('r.id')
    .limit(REVIEW_PAGE_SIZE)
    .execute()
  const reasons = await listReasons(
    db,
    notices.map(({ id }) => id),
  )
  return {
    notices: notices.map(({ width, height, state, ...notice }) => ({
      ...notice,
      photo: { width, height },
      isUnpublished: state === 'review',
      isClosed: state === 'closed',
      reasons: reasons.get(notice.id) ?? [],
    })),
    claims: claims.map(({ reason, ...claim }) => ({ ...claim, reasons: [reason] })),
  }
}

async function listReasons(db: Db, noticeIds: readonly string[]): Promise<Map<string, FoundReportReason[]>> {
  if (noticeIds.length === 0) return new Map()
  const rows = await selectNoticeReports(db)
    .select(['r.notice_id', 'r.reason'])
    .where('r.notice_id', 'in', noticeIds)
    .execute()
  const grouped = Map.groupBy(rows, ({ notice_id }) => notice_id)
  return new Map([...grouped].map(([id, reports]) => [id, reports.map(({ reason }) => reason)]))
}

/** The photo of a notice that waits for the admin; null of others. @throws AppError 401, 403 */
export async function readReviewedPhoto(db: Db, requester: AdminRequester, id: string): Promise<Buffer | null> {
  assertAdmin(requester)
  const row = await selectWaiting(db)
    .innerJoin('found_photos as f', 'f.notice_id', 'n.id')
    .select('f.data')
    .where('n.id', '=', id)
    .executeTakeFirst()
  return row ? Buffer.from(row.data, 'base64') : null
}

/**
 * What the admin decides about a notice that waits. `keep`: it is public as before, or deleted where its finder has closed it, and owners who
 * were not notified are now. `delete`: its sender's next ones are reviewed for a day.
 * @throws AppError 401, 403; 404; 409 for one that does not wait
 */
export async function decideNotice(
  db: Db,
  requester: AdminRequester,
  id: string,
  decision: FoundDecision,
  now = Date.now(),
): Promise<void> {
  assertAdmin(requester)
  await transact(db, async (trx) => {
    const exists = await trx.selectFrom('found_notices').select('id').where('id', '=', id).executeTakeFirst()
    if (!exists) throw notFound(FOUND_TEXTS.gone)
    const notice = await selectWaiting(trx)
      .select(['n.network', 'n.member_id', 'n.state'])
      .where('n.id', '=', id)
      .executeTakeFirst()
    if (!notice) throw new AppError(409, FOUND_TEXTS.reviewed)
    const { network, member_id } = notice
    const action = decision === 'delete' ? 'found-delete' : 'found-keep'
    await logAdminAction(trx, { adminId: requester.user!.id, action, target: { kind: 'found', id } }, now)
    if (decision === 'delete') {
      await addRefusal(trx, { id: noticeRefusalId(id, null), network, member_id }, null, now)
      await deleteNotices(trx, [id])
      if (member_id !== null) await notifyAuthor(trx, member_id, 'tu aviso de un perro encontrado', now)
      return
    }
    const reports = await trx
      .deleteFrom('found_reports')
      .where('notice_id', '=', id)
      .where('claim_id', 'is', null)
      .returning('reporter_id')
      .execute()
    await removeRefusals(
      trx,
      reports.map(({ reporter_id }) => noticeRefusalId(id, reporter_id)),
    )
    if (notice.state === 'closed') return void (await deleteNotices(trx, [id]))
    if (notice.state !== 'review') return
    await trx.updateTable('found_notices').set({ state: 'open' }).where('id', '=', id).execute()
    await matchNotice(trx, id, now)
  })
}

/**
 * What the admin decides about a reported answer. A deleted one leaves its row, without words: it was one of three tries. The conversation
 * that it opened ends.
 * @throws AppError 401, 403; 404; 409 for one that is not reported
 */
export async function decideReportedClaim(
  db: Db,
  requester: AdminRequester,
  id: string,
  decision: FoundDecision,
  now = Date.now(),
): Promise<void> {
  assertAdmin(requester)
  await transact(db, async (trx) => {
    const claim = await trx
      .selectFrom('found_claims')
      .select(['user_id', 'notice_id'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!claim) throw notFound(FOUND_TEXTS.gone)
    const { numDeletedRows } = await trx
      .deleteFrom('found_reports')
      .where('claim_id', '=', id)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw new AppError(409, FOUND_TEXTS.reviewed)
    const action = decision === 'delete' ? 'answer-delete' : 'answer-keep'
    await logAdminAction(trx, { adminId: requester.user!.id, action, target: { kind: 'answer', id } }, now)
    if (decision === 'keep') return
    const claims = trx.updateTable('found_claims').where('id', '=', id)
    await claims.set({ answer: '' }).execute()
    await claims.set({ state: 'refused', decided_at: now }).where('state', '!=', 'refused').execute()
    await closeThreadsOfFound(trx, claim.notice_id, claim.user_id)
    await notifyAuthor(trx, claim.user_id, 'tu respuesta a quien encontró un perro', now)
  })
}

/** Quotes nothing. */
const notifyAuthor = (trx: Trx, userId: string, what: string, now: number) =>
  notify(
    trx,
    {
      userId,
      type: 'other',
      title: 'Hemos eliminado algo tuyo',
      content: `Hemos eliminado ${what}: alguien lo denunció por falso, por pedir dinero o por ofender.`,
      link: paths.foundForm,
    },
    now,
  )
