import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import type { FoundNoticesTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { findTextWarning } from '#features/contact/text-warning.ts'
import { closeThreadsOfFound } from '#features/contact/threads.server.ts'
import { isEstablishedMember } from '#features/moderation/established-members.server.ts'
import { isVisibleTo, visibleTo } from '#features/moderation/visibility.server.ts'
import { hashSecret } from '#features/secrets/secrets.server.ts'
import { deleteLinkNotifications } from '#features/notifications/target-notifications.server.ts'
import { notFound } from '#lib/errors.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { listClaims } from './claim-list.server.ts'
import { limitNewOwners } from './new-owners.ts'
import {
  CLAIM_TRIES,
  FOUND_TEXTS,
  type FinderNotice,
  type FoundViewer,
  type NoticeDog,
  type OwnerNotice,
} from './found.ts'

export type NoticeRow = Selectable<FoundNoticesTable>

function isFinder(notice: NoticeRow, { userId, secrets }: FoundViewer): boolean {
  if (notice.member_id !== null) return notice.member_id === userId
  const secret = secrets.get(notice.id)
  return secret !== undefined && hashSecret(secret) === notice.secret_hash
}

/** The dogs of an owner for which they were notified of a notice. */
const selectNotifiedDogs = (db: Db, noticeId: string, userId: string) =>
  db
    .selectFrom('found_matches as m')
    .innerJoin('lost_cases as c', 'c.id', 'm.case_id')
    .innerJoin('dogs as d', (join) => join.onRef('d.id', '=', 'c.dog_id').onRef('d.owner_id', '=', 'c.owner_id'))
    .select(['d.id', 'd.name', 'd.photo_url', 'm.band_km as bandKm'])
    .where('m.notice_id', '=', noticeId)
    .where('m.told_at', 'is not', null)
    .where('c.owner_id', '=', userId)
    .orderBy('m.score', 'desc')
    .orderBy('d.id')

/** A notice and what the viewer is to it. @throws AppError 404 where they are neither its finder nor an owner who was notified of it */
export async function requireNotice(
  db: Db,
  viewer: FoundViewer,
  id: string,
  now = Date.now(),
): Promise<{ notice: NoticeRow; role: 'finder' | 'owner' }> {
  const notice = await db
    .selectFrom('found_notices_all')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .where('state', '=', 'open')
    .executeTakeFirst()
  if (!notice) throw notFound(FOUND_TEXTS.gone)
  if (isFinder(notice, viewer)) return { notice, role: 'finder' }
  const { userId } = viewer
  if (notice.hidden !== 0 || userId === null || !(await selectNotifiedDogs(db, id, userId).limit(1).executeTakeFirst()))
    throw notFound(FOUND_TEXTS.gone)
  if (!(await isVisibleTo(db, userId, [notice.member_id], 'foundNotices', now))) throw notFound(FOUND_TEXTS.gone)
  return { notice, role: 'owner' }
}

/**
 * A notice as its finder, or an owner who was notified of it, reads it.
 * @param cursor where a page of answers begins (`nextCursor`); undefined: with the oldest
 * @throws AppError 404 for everybody else; 422 for a malformed cursor
 */
export async function readNotice(
  db: Db,
  viewer: FoundViewer,
  id: string,
  now = Date.now(),
  cursor?: string,
): Promise<FinderNotice | OwnerNotice> {
  const { notice, role } = await requireNotice(db, viewer, id, now)
  const photo = await db
    .selectFrom('found_photos')
    .select(['width', 'height'])
    .where('notice_id', '=', id)
    .executeTakeFirstOrThrow()
  const { claims, nextCursor } = await listClaims(
    db,
    id,
    role === 'owner' ? viewer.userId : null,
    notice.member_id,
    cursor,
  )
  const base = {
    id,
    zone: notice.zone,
    foundAt: notice.found_at,
    size: notice.size,
    question: notice.question,
    questionWarning: notice.question === '' ? null : findTextWarning(notice.question),
    photo,
    claims,
  }
  if (role === 'owner') {
    const dogs = await selectNotifiedDogs(db, id, viewer.userId!).execute()
    const report = await db
      .selectFrom('found_reports')
      .select('id')
      .where('notice_id', '=', id)
      .where('claim_id', 'is', null)
      .where('reporter_id', '=', viewer.userId)
      .executeTakeFirst()
    const triesLeft = Math.max(0, CLAIM_TRIES - claims.length)
    return { ...base, role, dogs, triesLeft, isReported: report !== undefined }
  }
  const { coat, collar, words } = notice
  const dogs = await listDogsNear(db, notice, now)
  const isOfDevice = notice.member_id === null
  return {
    ...base,
    role,
    dogs,
    coat,
    collar,
    words,
    isBreedGuessed: notice.breed_slug !== null,
    isOfDevice,
    nextCursor,
  }
}

/** Lost dogs that look like it, the best match first; without those of blocked and leaving owners. */
async function listDogsNear(db: Db, { id, member_id }: NoticeRow, now: number): Promise<NoticeDog[]> {
  const rows = await db
    .selectFrom('found_matches as m')
    .innerJoin('lost_cases as c', 'c.id', 'm.case_id')
    .innerJoin('dogs as d', (join) => join.onRef('d.id', '=', 'c.dog_id').onRef('d.owner_id', '=', 'c.owner_id'))
    .select(['d.id', 'd.name', 'd.photo_url', 'm.band_km as bandKm'])
    .select(sql<number>`CASE WHEN ${isEstablishedMember('c.owner_id', now)} THEN 0 ELSE 1 END`.as('is_new'))
    .where('m.notice_id', '=', id)
    .where(visibleTo(member_id, 'lostDogs').of('c.owner_id'))
    .orderBy('m.score', 'desc')
    .orderBy('d.id')
    .limit(MAX_MATCHES_READ)
    .execute()
  const dogs = rows.map(({ is_new, ...dog }) => ({ dog, isOwnerNew: is_new === 1 }))
  return limitNewOwners(dogs, { max: MAX_DOGS, ofNew: MAX_DOGS_OF_NEW }).map(({ dog }) => dog)
}
/** Lost dogs that a finder is shown, and how many of members who are new here, unless there are fewer of others. */
const MAX_DOGS = 24
const MAX_DOGS_OF_NEW = 6
/** More than one comparison leaves: cases that open later are added. */
const MAX_MATCHES_READ = 500

/** The photo of a notice. @throws AppError 404 as `readNotice` */
export async function readFoundPhoto(db: Db, viewer: FoundViewer, id: string): Promise<Buffer> {
  await requireNotice(db, viewer, id)
  const { data } = await db
    .selectFrom('found_photos')
    .select('data')
    .where('notice_id', '=', id)
    .executeTakeFirstOrThrow()
  return Buffer.from(data, 'base64')
}

/** Ends what others have of a notice: conversations, and lines in bells that lead to it. */
async function endOthersParts(trx: Trx, id: string): Promise<void> {
  await closeThreadsOfFound(trx, id)
  const cases = trx.selectFrom('found_matches').select('case_id').where('notice_id', '=', id)
  await deleteLinkNotifications(trx, cases, lostPaths.foundNotice(id))
}

/** Deletes notices with their photos, answers and conversations. Call it inside a transaction. @returns how many */
export async function deleteNotices(trx: Trx, notices: readonly { id: string }[]): Promise<number> {
  for (const { id } of notices) {
    await endOthersParts(trx, id)
    await trx.deleteFrom('found_notices_all').where('id', '=', id).execute()
  }
  return notices.length
}

/**
 * Closes a notice. It is deleted; where owners reported it, it stays for the admin alone until they decide or its 30 days are over.
 * @throws AppError 404 for everybody but its finder
 */
export async function closeNotice(db: Db, viewer: FoundViewer, id: string, now = Date.now()): Promise<void> {
  await transact(db, async (trx) => {
    const { role } = await requireNotice(trx, viewer, id, now)
    if (role !== 'finder') throw notFound(FOUND_TEXTS.gone)
    const report = await trx
      .selectFrom('found_reports')
      .select('id')
      .where('notice_id', '=', id)
      .where('claim_id', 'is', null)
      .limit(1)
      .executeTakeFirst()
    if (!report) return void (await deleteNotices(trx, [{ id }]))
    await endOthersParts(trx, id)
    await trx.deleteFrom('found_claims').where('notice_id', '=', id).execute()
    await trx.deleteFrom('found_matches').where('notice_id', '=', id).execute()
    await trx.updateTable('found_notices_all').set({ state: 'closed' }).where('id', '=', id).execute()
  })
}
