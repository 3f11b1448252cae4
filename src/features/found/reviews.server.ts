import type { Db, Trx } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { inTexts } from '#db/dialect/expressions.ts'
import { addRefusal, noticeRefusalId, removeRefusals } from '#features/contact/refusals.server.ts'
import { closeThreadsOfFound } from '#features/contact/threads.server.ts'
import { findContent, REVIEWED, show } from '#features/moderation/content.server.ts'
import { inPage, type ReviewSource } from '#features/moderation/review.server.ts'
import { type ReviewDecision, reviewPerson } from '#features/moderation/review.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { type AdminRequester, assertAdmin } from '#lib/auth/current-user.ts'
import { formatDateTime } from '#lib/dates.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { shownZone } from '#lib/text/zone.ts'
import { FOUND_REPORT_REASONS, FOUND_TEXTS } from './found.ts'
import { matchNotice } from './matching.server.ts'
import { deleteNotices } from './notice.server.ts'

/** Reports of notices themselves, not of answers. */
const selectNoticeReports = (db: Db) => db.selectFrom('found_reports as r').where('r.claim_id', 'is', null)

/** Reported answers, each with its one report, but for those of leaving members. */
const selectReportedClaims = (db: Db) =>
  db
    .selectFrom('found_reports as r')
    .innerJoin('found_claims as c', 'c.id', 'r.claim_id')
    .where(visibleTo(null, 'presence').of('c.user_id'))

/** Notices that wait for the admin: of a sender who is reviewed, or reported by owners. Those of leaving members are out of sight. */
const selectWaiting = (db: Db) =>
  db
    .selectFrom('found_notices_all as n')
    .where((eb) => eb.or([eb('n.hidden', '<>', 0), eb('n.id', 'in', selectNoticeReports(db).select('r.notice_id'))]))
    .where(visibleTo(null, 'presence').of('n.member_id'))

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
 * `keep`: it is public as before, or deleted where its finder has closed it, and owners who were not notified are now. `delete`: its sender's
 * next ones are reviewed for a day.
 */
async function decideNotice(trx: Trx, id: string, decision: ReviewDecision, now: number): Promise<void> {
  if (!(await findContent(trx, 'found', id))) throw notFound(FOUND_TEXTS.gone)
  const notice = await selectWaiting(trx)
    .select(['n.network', 'n.member_id', 'n.state', 'n.hidden'])
    .where('n.id', '=', id)
    .executeTakeFirst()
  if (!notice) throw new AppError(409, FOUND_TEXTS.reviewed)
  const { network, member_id } = notice
  if (decision === 'delete') {
    await addRefusal(trx, { id: noticeRefusalId(id, null), network, member_id }, null, now)
    await deleteNotices(trx, [{ id }])
    if (member_id !== null) await notifyAuthor(trx, member_id, 'tu aviso de un perro encontrado', now)
    return
  }
  const reports = await trx
    .deleteFrom('found_reports')
    .where('notice_id', '=', id)
    .where('claim_id', 'is', null)
    .returning('reporter_id')
    .execute()
  const refusals = reports.map(({ reporter_id }) => noticeRefusalId(id, reporter_id))
  await removeRefusals(trx, refusals)
  if (notice.state === 'closed') return void (await deleteNotices(trx, [{ id }]))
  if (notice.hidden === 0) return
  await show(trx, 'found', id, ...REVIEWED)
  await matchNotice(trx, id, now)
}

/** A deleted answer leaves its row, without words: it was one of three tries. The conversation that it opened ends. */
async function decideReportedClaim(trx: Trx, id: string, decision: ReviewDecision, now: number): Promise<void> {
  const claim = await trx
    .selectFrom('found_claims')
    .select(['user_id', 'notice_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!claim) throw notFound(FOUND_TEXTS.gone)
  const { numDeletedRows } = await trx.deleteFrom('found_reports').where('claim_id', '=', id).executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw new AppError(409, FOUND_TEXTS.reviewed)
  if (decision === 'keep') return
  const claims = trx.updateTable('found_claims').where('id', '=', id)
  await claims.set({ answer: '' }).execute()
  await claims.set({ state: 'refused', decided_at: now }).where('state', '!=', 'refused').execute()
  await closeThreadsOfFound(trx, claim.notice_id, claim.user_id)
  await notifyAuthor(trx, claim.user_id, 'tu respuesta a quien encontró un perro', now)
}

/** Quotes nothing. */
const notifyAuthor = (trx: Trx, userId: string, what: string, now: number) =>
  notify(trx, 'notice-deleted', { userId, what }, now)

/** The notices that wait for the admin. */
export const noticeReviews: ReviewSource = {
  count: (db) => countRows(selectWaiting(db)),
  list: async (db, page) => {
    const notices = await selectWaiting(db)
      .innerJoin('found_photos as f', 'f.notice_id', 'n.id')
      .leftJoin('profiles as p', 'p.id', 'n.member_id')
      .select(['n.id', 'n.created_at', 'n.zone', 'n.found_at', 'n.coat', 'n.collar', 'n.words', 'n.question'])
      .select(['n.state', 'n.hidden', 'n.member_id', 'p.alias', 'f.width', 'f.height'])
      .$call(inPage('n.created_at', 'n.id', page))
      .execute()
    const reports = await selectNoticeReports(db)
      .select(['r.notice_id', 'r.reason'])
      .where(
        inTexts(
          db,
          'r.notice_id',
          notices.map(({ id }) => id),
        ),
      )
      .execute()
    const reasons = Map.groupBy(reports, ({ notice_id }) => notice_id)
    return notices.map(
      ({ id, created_at, zone, found_at, coat, collar, words, question, state, hidden, ...notice }) => {
        const facts = `${shownZone(zone)}, ${formatDateTime(found_at)}`
        return {
          id,
          since: created_at,
          heading: { text: NOTICE_HEADINGS[state === 'open' && hidden !== 0 ? 'waits' : state] },
          reasons: (reasons.get(id) ?? []).map(({ reason }) => FOUND_REPORT_REASONS[reason]),
          facts,
          photo: {
            path: lostPaths.api.foundPhoto(id),
            width: notice.width,
            height: notice.height,
            alt: 'Foto del perro encontrado',
          },
          people: [reviewPerson('Escrito por', notice.member_id, notice.alias)],
          words: [
            { name: 'Pelo', text: coat },
            { name: 'Collar', text: collar },
            { name: 'Cuenta', text: words },
            { name: 'Pregunta', text: question },
          ],
          labels: {
            keep: state === 'open' && hidden !== 0 ? 'Dejar que se vea' : 'Descartar la denuncia',
            delete: 'Eliminar el aviso',
          },
          name: `: ${facts}`,
        }
      },
    )
  },
  decide: decideNotice,
  logged: { keep: 'found-keep', delete: 'found-delete' },
}

const NOTICE_HEADINGS = {
  open: 'Aviso denunciado',
  waits: 'Aviso que nadie ve todavía',
  closed: 'Aviso denunciado, que su autor ya ha cerrado',
}

/** As much of an answer as tells it from others. */
const NAME_CHARS = 60

/** The reported answers to a finder's question. */
export const claimReviews: ReviewSource = {
  count: (db) => countRows(selectReportedClaims(db)),
  list: async (db, page) => {
    const claims = await selectReportedClaims(db)
      .leftJoin('profiles as p', 'p.id', 'c.user_id')
      .select(['c.id', 'c.answer', 'c.user_id', 'p.alias', 'r.reason', 'r.created_at'])
      .$call(inPage('r.created_at', 'c.id', page))
      .execute()
    return claims.map(({ id, answer, user_id, reason, created_at, ...claim }) => {
      const person = reviewPerson('Escrito por', user_id, claim.alias)
      return {
        id,
        since: created_at,
        heading: { text: 'Respuesta denunciada' },
        reasons: [FOUND_REPORT_REASONS[reason]],
        facts: '',
        people: [person],
        words: [{ text: answer }],
        labels: { keep: 'Descartar la denuncia', delete: 'Eliminar la respuesta' },
        name: ` de ${person.alias}: ${answer.slice(0, NAME_CHARS)}`,
      }
    })
  },
  decide: decideReportedClaim,
  logged: { keep: 'answer-keep', delete: 'answer-delete' },
}

/** The line of both in the admin's bell. */
export async function waitingLine(trx: Trx) {
  const count = (await noticeReviews.count(trx)) + (await claimReviews.count(trx))
  const content = count === 1 ? '1 aviso o respuesta por revisar.' : `${count} avisos o respuestas por revisar.`
  return { title: 'Perros encontrados por revisar', content, link: lostPaths.adminFound }
}
