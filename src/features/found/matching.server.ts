import { sql } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { withoutIndex } from '#db/dialect/expressions.ts'
import { isEstablishedMember } from '#features/moderation/established-members.server.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import type { GeoPoint } from '#lib/geo.ts'
import { SECOND_MS } from '#lib/time.ts'
import { DISTANCE_BANDS_KM } from './found.ts'
import { limitNewOwners } from './new-owners.ts'
import { boxAround, compareDogs, MIN_SCORE } from './resemblance.ts'
import { type FoundMatch, notifyOwner } from './notify-owners.server.ts'

/** Lost dogs, or notices, that are compared with one: the newest of a box of 50 km around it. */
const MAX_COMPARED = 1000
/** Matches that are stored of one notice. */
const MAX_MATCHES = 40
/** Of them, of members who are new here (`isEstablishedMember`), unless there are fewer of others. */
const MAX_MATCHES_OF_NEW = 10
/** Of them, of one owner. */
const MAX_MATCHES_OF_OWNER = 2
/** Matches that are stored of one lost dog, the best first: as many as its owner is notified of in twenty days. */
const MAX_CASE_MATCHES = 100
/**
 * How long after it was opened or changed a case is compared, ms. In PostgreSQL a case and a notice that are written at the same time do not
 * see each other; after this delay both are committed.
 */
export const SETTLE_MS = 10 * SECOND_MS
/** Notices whose words are compared with those of one case: those that are most like it in all else, since words take the longest. */
const MAX_READ = 150
const RADIUS_KM = DISTANCE_BANDS_KM[DISTANCE_BANDS_KM.length - 1]!

/**
 * Open cases near a point, of dogs in the lists, those of established members before those of new ones, the newest first, by the index
 * lost_cases_shown; only the points that others see. Left out: whom the finder does not see.
 */
export function selectCasesNear(db: Db, point: GeoPoint, finderId: string | null, now: number) {
  const isNew = sql<number>`CASE WHEN ${isEstablishedMember('c.owner_id', now)} THEN 0 ELSE 1 END`
  const { south, north, west, east } = boxAround(point, RADIUS_KM)
  return db
    .selectFrom('lost_cases as c')
    .innerJoin('dogs as d', (join) => join.onRef('d.id', '=', 'c.dog_id').onRef('d.owner_id', '=', 'c.owner_id'))
    .select(['c.id', 'c.owner_id', 'c.since', 'c.shown_lat', 'c.shown_lon', 'c.help', 'c.updated_at'])
    .select(['d.id as dog_id', 'd.size', 'd.breed_slug', 'd.description', isNew.as('is_new')])
    .where('c.shown_lat', '>=', south)
    .where('c.shown_lat', '<=', north)
    .where('c.shown_lon', '>=', west)
    .where('c.shown_lon', '<=', east)
    .where(visibleTo(finderId, 'lostDogs').of('c.owner_id'))
    .orderBy('is_new')
    .orderBy(withoutIndex<number>(db, 'c.opened_at'), 'desc')
    .limit(MAX_COMPARED)
}
type CaseRow = Awaited<ReturnType<ReturnType<typeof selectCasesNear>['execute']>>[number]

const caseTraits = (row: CaseRow) => ({
  point: { lat: row.shown_lat, lon: row.shown_lon },
  size: row.size,
  breedSlug: row.breed_slug,
  looks: `${row.description ?? ''} ${row.help}`,
  at: row.since,
})

const selectNotices = (db: Db, now: number) =>
  db
    .selectFrom('found_notices_all')
    .select(['id', 'member_id', 'found_at', 'shown_lat', 'shown_lon', 'size', 'breed_slug', 'coat', 'words', 'hidden'])
    .where('expires_at', '>', now)
type NoticeRow = Awaited<ReturnType<ReturnType<typeof selectNotices>['execute']>>[number]

/** Open notices near a point, the newest first, by the index found_notices_shown, without those that wait for the admin. */
export function selectNoticesNear(db: Db, point: GeoPoint, ownerId: string, now: number) {
  const { south, north, west, east } = boxAround(point, RADIUS_KM)
  return selectNotices(db, now)
    .where('hidden', '=', 0)
    .where('state', '=', 'open')
    .where(visibleTo(ownerId, 'matches').of('member_id'))
    .where('shown_lat', '>=', south)
    .where('shown_lat', '<=', north)
    .where('shown_lon', '>=', west)
    .where('shown_lon', '<=', east)
    .orderBy(withoutIndex<number>(db, 'created_at'), 'desc')
    .limit(MAX_COMPARED)
}

const noticeTraits = (row: NoticeRow) => ({
  point: { lat: row.shown_lat, lon: row.shown_lon },
  size: row.size,
  breedSlug: row.breed_slug,
  // Without the collar: its colour says nothing of the coat's.
  looks: `${row.coat} ${row.words}`,
  at: row.found_at,
})

function matchPair(notice: NoticeRow, lost: CaseRow): ComparedMatch[] {
  if (notice.member_id === lost.owner_id) return []
  const likeness = compareDogs(noticeTraits(notice), caseTraits(lost))
  if (!likeness || likeness.score < MIN_SCORE) return []
  const ids = { noticeId: notice.id, finderId: notice.member_id, caseId: lost.id, ownerId: lost.owner_id }
  return [{ ...ids, dogId: lost.dog_id, isOwnerNew: lost.is_new === 1, ...likeness }]
}

/** The notices that are most like a case but for what was written of the looks, which takes the longest to compare. */
function findLikeliest(notices: readonly NoticeRow[], lost: CaseRow): NoticeRow[] {
  const silent = { ...caseTraits(lost), looks: '' }
  const compared = notices.map((notice) => ({ notice, ...compareDogs({ ...noticeTraits(notice), looks: '' }, silent) }))
  const order = compared.toSorted((a, b) => (b.score ?? -Infinity) - (a.score ?? -Infinity))
  return order.slice(0, MAX_READ).map(({ notice }) => notice)
}

type ComparedMatch = FoundMatch & { isOwnerNew: boolean }

/** A filter that passes at most `most` matches of each owner: one who marks many dogs as lost crowds out no others. */
function upTo(most: number): (match: FoundMatch) => boolean {
  const counts = new Map<string, number>()
  return ({ ownerId }) => {
    const count = (counts.get(ownerId) ?? 0) + 1
    counts.set(ownerId, count)
    return count <= most
  }
}

const byScore = (a: FoundMatch, b: FoundMatch) => b.score - a.score || (a.caseId < b.caseId ? -1 : 1)

/**
 * Compares a notice with the lost dogs near it and notifies their owners, unless it waits for the admin. Call it in the transaction that
 * stores the notice.
 * @returns how many lost dogs look like it
 */
export async function matchNotice(trx: Trx, noticeId: string, now = Date.now()): Promise<number> {
  const notice = await selectNotices(trx, now).where('id', '=', noticeId).executeTakeFirst()
  if (!notice) return 0
  const point = { lat: notice.shown_lat, lon: notice.shown_lon }
  const cases = await selectCasesNear(trx, point, notice.member_id, now).execute()
  const alike = cases
    .flatMap((lost) => matchPair(notice, lost))
    .toSorted(byScore)
    .filter(upTo(MAX_MATCHES_OF_OWNER))
  const matches = limitNewOwners(alike, { max: MAX_MATCHES, ofNew: MAX_MATCHES_OF_NEW })
  await storeMatches(trx, matches)
  if (notice.hidden === 0) for (const match of matches) await notifyOwner(trx, match, now)
  return matches.length
}

/**
 * Compares a lost dog, new or changed, with the notices near it, once it has been as it is for SETTLE_MS. Idempotent: an owner is notified of a
 * notice once.
 * @returns how many notices look like it
 */
export async function matchLostCase(trx: Trx, caseId: string, now = Date.now()): Promise<number> {
  const place = await trx
    .selectFrom('lost_cases')
    .select(['shown_lat as lat', 'shown_lon as lon', 'owner_id', 'updated_at'])
    .where('id', '=', caseId)
    .where('updated_at', '<=', now - SETTLE_MS)
    .executeTakeFirst()
  if (!place) return 0
  const lost = await selectCasesNear(trx, place, null, now).where('c.id', '=', caseId).executeTakeFirst()
  // A hidden dog is compared when it is shown again.
  if (!lost) return 0
  const notices = await selectNoticesNear(trx, place, place.owner_id, now).execute()
  const matches = findLikeliest(notices, lost)
    .flatMap((notice) => matchPair(notice, lost))
    .toSorted(byScore)
    .slice(0, MAX_CASE_MATCHES)
  await markScanned(trx, caseId, place.updated_at)
  // What the owner has seen stays.
  await trx.deleteFrom('found_matches').where('case_id', '=', caseId).where('told_at', 'is', null).execute()
  await storeMatches(trx, matches)
  for (const match of matches) await notifyOwner(trx, match, now)
  return matches.length
}

const markScanned = (trx: Trx, caseId: string, updatedAt: number) =>
  trx
    .insertInto('found_scans')
    .values({ case_id: caseId, case_updated_at: updatedAt })
    .onConflict((conflict) => conflict.column('case_id').doUpdateSet({ case_updated_at: updatedAt }))
    .execute()

async function storeMatches(trx: Trx, matches: readonly FoundMatch[]): Promise<void> {
  if (matches.length === 0) return
  await trx
    .insertInto('found_matches')
    .values(
      matches.map(({ noticeId, caseId, score, bandKm }) => ({
        notice_id: noticeId,
        case_id: caseId,
        score,
        band_km: bandKm,
        told_at: null,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['notice_id', 'case_id'])
        .doUpdateSet((eb) => ({ score: eb.ref('excluded.score'), band_km: eb.ref('excluded.band_km') })),
    )
    .execute()
}
