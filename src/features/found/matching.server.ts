import type { Db } from '#db/client.ts'
import { withoutIndex } from '#db/dialect/expressions.ts'
import { lockKeys } from '#db/dialect/locks.ts'
import { lockMembers } from '#db/locks.ts'
import { findActiveBan } from '#features/moderation/bans.server.ts'
import { findBlockedIds } from '#features/moderation/blocks.server.ts'
import { notify } from '#features/notifications/notifications.server.ts'
import type { GeoPoint } from '#lib/geo.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { DOG_PLACEHOLDER } from '#lib/text/names.ts'
import { DAY_MS } from '#lib/time.ts'
import { BANDS_KM, formatBand } from './found.ts'
import { boxAround, compareDogs, MIN_SCORE, TOLD_SCORE } from './resemblance.ts'

/** Lost dogs, or notices, that are compared with one: those of a box of 50 km around it. */
const MAX_COMPARED = 1000
/** Lost dogs that one notice is compared to and keeps. */
const MAX_MATCHES = 12
/** Notices that one owner is told of in a day, for each of their dogs. */
const MAX_TOLD_PER_DAY = 5
const RADIUS_KM = BANDS_KM[BANDS_KM.length - 1]!

export const FOUND_TITLE = '¿Será el tuyo? Han encontrado un perro'
const foundText = (bandKm: number): string =>
  `Se parece a ${DOG_PLACEHOLDER} y lo han encontrado ${formatBand(bandKm)} de donde se perdió. Mira la foto.`

/**
 * Open cases near a point, of dogs in the lists, by the index lost_cases_shown; only the points that others see. Left out: who is leaving.
 */
export function selectCasesNear(db: Db, point: GeoPoint) {
  const { south, north, west, east } = boxAround(point, RADIUS_KM)
  return db
    .selectFrom('lost_cases as c')
    .innerJoin('dogs as d', (join) => join.onRef('d.id', '=', 'c.dog_id').onRef('d.owner_id', '=', 'c.owner_id'))
    .select(['c.id', 'c.owner_id', 'c.since', 'c.shown_lat', 'c.shown_lon', 'c.help', 'c.updated_at'])
    .select(['d.id as dog_id', 'd.size', 'd.breed_slug', 'd.description'])
    .where('c.shown_lat', '>=', south)
    .where('c.shown_lat', '<=', north)
    .where('c.shown_lon', '>=', west)
    .where('c.shown_lon', '<=', east)
    .where('c.owner_id', 'not in', db.selectFrom('account_deletions').select('user_id'))
    .where('c.owner_id', 'not in', db.selectFrom('account_erasures').select('user_id'))
    .limit(MAX_COMPARED)
}
type CaseRow = Awaited<ReturnType<ReturnType<typeof selectCasesNear>['execute']>>[number]

const caseTraits = (row: CaseRow) => ({
  shown: { lat: row.shown_lat, lon: row.shown_lon },
  size: row.size,
  breedSlug: row.breed_slug,
  looks: `${row.description ?? ''} ${row.help}`,
  at: row.since,
})

const selectNotices = (db: Db, now: number) =>
  db
    .selectFrom('found_notices')
    .select(['id', 'member_id', 'found_at', 'shown_lat', 'shown_lon', 'size', 'breed_slug', 'coat', 'words', 'state'])
    .where('expires_at', '>', now)
type NoticeRow = Awaited<ReturnType<ReturnType<typeof selectNotices>['execute']>>[number]

/** Open notices near a point, by the index found_notices_shown, without those that wait for the admin. */
export function selectNoticesNear(db: Db, point: GeoPoint, now: number) {
  const { south, north, west, east } = boxAround(point, RADIUS_KM)
  return selectNotices(db, now)
    .where(withoutIndex(db, 'state'), '=', 'open')
    .where('shown_lat', '>=', south)
    .where('shown_lat', '<=', north)
    .where('shown_lon', '>=', west)
    .where('shown_lon', '<=', east)
    .limit(MAX_COMPARED)
}

const noticeTraits = (row: NoticeRow) => ({
  shown: { lat: row.shown_lat, lon: row.shown_lon },
  size: row.size,
  breedSlug: row.breed_slug,
  // The collar is not the dog's coat: «collar rojo» is no red dog.
  looks: `${row.coat} ${row.words}`,
  at: row.found_at,
})

interface Match {
  notice: NoticeRow
  lost: CaseRow
  score: number
  bandKm: number
}

function matchPair(notice: NoticeRow, lost: CaseRow): Match[] {
  if (notice.member_id === lost.owner_id) return []
  const likeness = compareDogs(noticeTraits(notice), caseTraits(lost))
  return likeness && likeness.score >= MIN_SCORE ? [{ notice, lost, ...likeness }] : []
}

const byScore = (a: Match, b: Match) => b.score - a.score || (a.lost.id < b.lost.id ? -1 : 1)

/**
 * Compares a notice with the lost dogs near it and tells their owners, unless it waits for the admin. Call it in the transaction that stores the notice.
 * @returns how many lost dogs look like it
 */
export async function matchNotice(trx: Db, noticeId: string, now = Date.now()): Promise<number> {
  const notice = await selectNotices(trx, now).where('id', '=', noticeId).executeTakeFirst()
  if (!notice) return 0
  const blocked = await findBlockedIds(trx, notice.member_id)
  const cases = await selectCasesNear(trx, { lat: notice.shown_lat, lon: notice.shown_lon }).execute()
  const matches = cases
    .filter(({ owner_id }) => !blocked.has(owner_id))
    .flatMap((lost) => matchPair(notice, lost))
    .toSorted(byScore)
    .slice(0, MAX_MATCHES)
  await storeMatches(trx, matches)
  if (notice.state === 'open') for (const match of matches) await tellOwner(trx, match, now)
  return matches.length
}

/**
 * Compares a lost dog, new or changed, with the notices near it. Idempotent: an owner is told of a notice once.
 * @returns how many notices look like it
 */
export async function matchLostCase(trx: Db, caseId: string, now = Date.now()): Promise<number> {
  const place = await trx
    .selectFrom('lost_cases')
    .select(['shown_lat as lat', 'shown_lon as lon', 'owner_id', 'updated_at'])
    .where('id', '=', caseId)
    .executeTakeFirst()
  if (!place) return 0
  await trx
    .insertInto('found_scans')
    .values({ case_id: caseId, case_updated_at: place.updated_at })
    .onConflict((conflict) => conflict.column('case_id').doUpdateSet({ case_updated_at: place.updated_at }))
    .execute()
  const lost = await selectCasesNear(trx, place).where('c.id', '=', caseId).executeTakeFirst()
  const blocked = await findBlockedIds(trx, place.owner_id)
  const notices = lost ? await selectNoticesNear(trx, place, now).execute() : []
  const matches = notices
    .filter(({ member_id }) => member_id === null || !blocked.has(member_id))
    .flatMap((notice) => (lost ? matchPair(notice, lost) : []))
    .toSorted(byScore)
  // What the owner has seen stays.
  await trx.deleteFrom('found_matches').where('case_id', '=', caseId).where('told_at', 'is', null).execute()
  await storeMatches(trx, matches)
  for (const match of matches) await tellOwner(trx, match, now)
  return matches.length
}

async function storeMatches(trx: Db, matches: readonly Match[]): Promise<void> {
  if (matches.length === 0) return
  await trx
    .insertInto('found_matches')
    .values(
      matches.map(({ notice, lost, score, bandKm }) => ({
        notice_id: notice.id,
        case_id: lost.id,
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

/** Nobody is told of what a banned or leaving member found. */
async function mayTell(trx: Db, finderId: string | null, now: number): Promise<boolean> {
  if (finderId === null) return true
  if (await findActiveBan(trx, finderId, now)) return false
  const leaving = await trx
    .selectFrom('account_deletions')
    .select('user_id')
    .where('user_id', '=', finderId)
    .union(trx.selectFrom('account_erasures').select('user_id').where('user_id', '=', finderId))
    .executeTakeFirst()
  return leaving === undefined
}

/** Tells an owner in the bell and on their devices, once a notice and dog. */
async function tellOwner(trx: Db, { notice, lost, score, bandKm }: Match, now: number): Promise<void> {
  if (score < TOLD_SCORE || !(await mayTell(trx, notice.member_id, now))) return
  await lockMembers(trx, [lost.owner_id, ...(notice.member_id ? [notice.member_id] : [])], 'reference')
  // Of two notices at once the second counts the first.
  await lockKeys(trx, 'found-told', [lost.id])
  const { told } = await trx
    .selectFrom('found_matches')
    .select((eb) => eb.fn.countAll<number>().as('told'))
    .where('case_id', '=', lost.id)
    .where('told_at', '>', now - DAY_MS)
    .executeTakeFirstOrThrow()
  if (told >= MAX_TOLD_PER_DAY) return
  // Of two processes one tells.
  const claimed = await trx
    .updateTable('found_matches')
    .set({ told_at: now })
    .where('notice_id', '=', notice.id)
    .where('case_id', '=', lost.id)
    .where('told_at', 'is', null)
    .returning('case_id')
    .execute()
  if (claimed.length === 0) return
  await notify(
    trx,
    {
      userId: lost.owner_id,
      type: 'other',
      title: FOUND_TITLE,
      content: foundText(bandKm),
      dogId: lost.dog_id,
      actorId: notice.member_id,
      link: lostPaths.foundNotice(notice.id),
    },
    now,
  )
}
