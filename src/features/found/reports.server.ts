import { randomUUID } from 'node:crypto'
import type { Db, Trx } from '#db/client.ts'
import type { FoundReportsTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { addRefusal, noticeRefusalId } from '#features/contact/refusals.server.ts'
import { REFUSING_OWNERS } from '#features/contact/refusals.ts'
import { hashNetwork } from '#features/contact/sender-networks.server.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { hide } from '#features/moderation/content.server.ts'
import { isEstablished } from '#features/moderation/established-members.server.ts'
import { notifyAdmin } from '#features/notifications/notify.server.ts'
import { notFound } from '#lib/errors.ts'
import { type FoundReportReason, FOUND_TEXTS, type FoundViewer } from './found.ts'
import { requireNotice } from './notice.server.ts'
import { waitingLine } from './reviews.server.ts'

interface ReportOptions {
  adminEmail?: string | undefined
  now?: number
}

/**
 * An owner who was notified of a notice reports it: it waits for the admin. An established member's report counts against its sender, and three
 * of them, from different networks, leave the notice to the admin alone. Reporting it again changes nothing.
 * @param network IP address of who reports it; stored as a hash of the day
 * @throws AppError 403 for a banned member; 404 for who was not notified
 */
export async function reportNotice(
  db: Db,
  viewer: FoundViewer,
  noticeId: string,
  { reason, network }: { reason: FoundReportReason; network: string },
  { adminEmail, now = Date.now() }: ReportOptions = {},
): Promise<void> {
  const { userId } = viewer
  await transact(db, async (trx) => {
    const { notice, role } = await requireNotice(trx, viewer, noticeId, now)
    if (role !== 'owner' || userId === null) throw notFound(FOUND_TEXTS.gone)
    await assertNotBanned(trx, userId, now)
    const earlier = await trx
      .selectFrom('found_reports')
      .select(['reporter_id', 'network'])
      .where('notice_id', '=', noticeId)
      .where('claim_id', 'is', null)
      .execute()
    if (earlier.some(({ reporter_id }) => reporter_id === userId)) return
    const networks = await hashNetwork(trx, network, now)
    // A network has one name among the reports of a notice, whichever day's key it was first hashed with.
    const known = earlier.find((report) => report.network !== null && networks.includes(report.network))
    const own = { reporter_id: userId, network: known?.network ?? networks[0] }
    await insertReport(trx, { notice_id: noticeId, claim_id: null, ...own, reason }, now)
    const before = await listCountingNetworks(trx, earlier, now)
    // Only established members count: accounts opened for it could otherwise hide any notice, and delay all others of its sender's network.
    // Nor do several of one network, which may be one person's.
    if ((await isEstablished(trx, userId, now)) && !before.has(own.network)) {
      const { member_id } = notice
      const refused = { id: noticeRefusalId(noticeId, userId), network: notice.network, member_id }
      await addRefusal(trx, refused, { userId, network }, now)
      before.add(own.network)
    }
    if (before.size >= REFUSING_OWNERS) await hide(trx, 'found', noticeId, 'reports')
    await notifyAdmin(trx, adminEmail, 'review', await waitingLine(trx), now)
  })
}

/** The networks from which established members reported; those of reports that are older than three days are forgotten, and count no more. */
async function listCountingNetworks(
  trx: Trx,
  reports: readonly { reporter_id: string | null; network: string | null }[],
  now: number,
): Promise<Set<string>> {
  const counting = new Set<string>()
  for (const { reporter_id, network } of reports)
    if (network !== null && reporter_id !== null && (await isEstablished(trx, reporter_id, now))) counting.add(network)
  return counting
}

/**
 * A finder, with or without account, reports what somebody answered to their question.
 * @throws AppError 403 for a banned member; 404 for everybody but the finder, and for no answer
 */
export async function reportClaim(
  db: Db,
  viewer: FoundViewer,
  { noticeId, claimId }: { noticeId: string; claimId: string },
  reason: FoundReportReason,
  { adminEmail, now = Date.now() }: ReportOptions = {},
): Promise<void> {
  await transact(db, async (trx) => {
    const { notice, role } = await requireNotice(trx, viewer, noticeId, now)
    if (role !== 'finder') throw notFound(FOUND_TEXTS.gone)
    if (notice.member_id !== null) await assertNotBanned(trx, notice.member_id, now)
    const claim = await trx
      .selectFrom('found_claims as c')
      .leftJoin('found_reports as r', 'r.claim_id', 'c.id')
      .select('r.id as reportId')
      .where('c.id', '=', claimId)
      .where('c.notice_id', '=', noticeId)
      .where('c.answer', '!=', '')
      .executeTakeFirst()
    if (!claim) throw notFound(FOUND_TEXTS.gone)
    if (claim.reportId !== null) return
    const report = { notice_id: noticeId, claim_id: claimId, reporter_id: notice.member_id, network: null, reason }
    await insertReport(trx, report, now)
    await notifyAdmin(trx, adminEmail, 'review', await waitingLine(trx), now)
  })
}

const insertReport = (
  trx: Trx,
  report: Pick<FoundReportsTable, 'notice_id' | 'claim_id' | 'reporter_id' | 'network' | 'reason'>,
  now: number,
) =>
  trx
    .insertInto('found_reports')
    .values({ id: randomUUID(), ...report, created_at: now })
    .execute()
