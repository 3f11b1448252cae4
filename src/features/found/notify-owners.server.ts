import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { claimFoundNotification, FOUND_NOTIFICATIONS_PER_DAY } from '#features/lost/found-notification-quota.server.ts'
import { isEstablishedMember } from '#features/moderation/established-members.server.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { madridDay } from '#lib/dates.ts'
import { DAY_MS } from '#lib/time.ts'
import { formatDistanceBand } from './found.ts'
import { NOTIFY_MIN_SCORE } from './resemblance.ts'

/** Matches that one statement looks at. */
const MATCHES_PER_PAGE = 500

/** A found notice and a lost dog that look alike. */
export interface FoundMatch {
  noticeId: string
  /** Null for a visitor. */
  finderId: string | null
  caseId: string
  ownerId: string
  dogId: string
  score: number
  bandKm: number
}

/** Notices of one network of which an owner is notified in a day: one sender takes no dog's whole day. */
const NOTIFICATIONS_OF_NETWORK_PER_DAY = 2
/** Of visitors and new members together, of FOUND_NOTIFICATIONS_PER_DAY: many addresses do not take it either. */
const NOTIFICATIONS_OF_STRANGERS_PER_DAY = 4

/** Of how many notices the owner of case `m` was notified in the last day, as a column of another query. @param which of the notices `tn` */
const countNotified = (which: RawBuilder<unknown>, now: number) =>
  sql<number>`(SELECT count(*) FROM found_matches AS tm INNER JOIN found_notices_all AS tn ON tn.id = tm.notice_id
    WHERE tm.case_id = m.case_id AND tm.told_at > ${now - DAY_MS} AND ${which})`

/**
 * Whether the owner of case `m` may be notified of one more notice like `n` today, as a column of another query. The networks of older notices are
 * forgotten.
 */
const isShareLeft = (now: number) =>
  sql<boolean>`(${countNotified(sql`tn.network = n.network`, now)} < ${sql.lit(NOTIFICATIONS_OF_NETWORK_PER_DAY)}
    AND (${isEstablishedMember('n.member_id', now)}
      OR ${countNotified(sql`NOT ${isEstablishedMember('tn.member_id', now)}`, now)} < ${sql.lit(NOTIFICATIONS_OF_STRANGERS_PER_DAY)}))`

/**
 * Notifies an owner in the bell and on their devices, once a notice and dog. Who may not be notified now waits (`notifyWaitingOwners`). The match
 * is stored already.
 * @returns whether they were notified
 */
export async function notifyOwner(trx: Trx, match: FoundMatch, now: number): Promise<boolean> {
  const { noticeId, finderId, caseId, ownerId, dogId, score, bandKm } = match
  if (score < NOTIFY_MIN_SCORE) return false
  const pending = await trx
    .selectFrom('found_matches as m')
    .innerJoin('found_notices as n', 'n.id', 'm.notice_id')
    .select('m.told_at')
    .where('m.notice_id', '=', noticeId)
    .where('m.case_id', '=', caseId)
    .where('m.told_at', 'is', null)
    .where(visibleTo(ownerId, 'foundNotices', now).of('n.member_id'))
    .where(isShareLeft(now))
    .executeTakeFirst()
  if (!pending || !(await claimFoundNotification(trx, dogId, now))) return false
  await trx
    .updateTable('found_matches')
    .set({ told_at: now })
    .where('notice_id', '=', noticeId)
    .where('case_id', '=', caseId)
    .execute()
  const distance = formatDistanceBand(bandKm)
  await notify(trx, 'found-alike', { userId: ownerId, dogId, actorId: finderId, noticeId, caseId, distance }, now)
  return true
}

/** Matches of which no owner was notified, by the index found_matches_told. */
const selectUntold = (db: Db) =>
  db.selectFrom('found_matches').selectAll().where('told_at', 'is', null).where('score', '>=', NOTIFY_MIN_SCORE)

/** A page of them, the best first. */
export const selectUntoldPage = (db: Db, offset = 0) =>
  selectUntold(db).orderBy('score', 'desc').limit(MATCHES_PER_PAGE).offset(offset)

/**
 * Those of them whose owner was not notified when they were made and may be now: beyond a day's limit, and of finders who were banned.
 * @param untold a page of them, or one
 */
export const selectWaitingMatches = (db: Db, now: number, untold: ReturnType<typeof selectUntold>) =>
  db
    .selectFrom(untold.as('m'))
    .innerJoin('found_notices as n', 'n.id', 'm.notice_id')
    .innerJoin('lost_cases as c', 'c.id', 'm.case_id')
    .innerJoin('dogs as d', (join) => join.onRef('d.id', '=', 'c.dog_id').onRef('d.owner_id', '=', 'c.owner_id'))
    .innerJoin('lost_history as h', 'h.dog_id', 'c.dog_id')
    .select(['m.notice_id as noticeId', 'n.member_id as finderId', 'm.case_id as caseId', 'c.owner_id as ownerId'])
    .select(['c.dog_id as dogId', 'm.score', 'm.band_km as bandKm'])
    .where('n.expires_at', '>', now)
    .where((eb) =>
      eb.or([eb('h.told_day', '!=', madridDay(now)), eb('h.told_count', '<', FOUND_NOTIFICATIONS_PER_DAY)]),
    )
    .where(isShareLeft(now))
    .where(visibleTo(sql.ref('c.owner_id'), 'foundNotices', now).of('n.member_id'))
    .where(visibleTo(null, 'presence').of('c.owner_id'))
    .orderBy('m.score', 'desc')

/**
 * Notifies the owners who wait for it, each in a transaction of its own, page by page: what is notified makes later pages begin earlier, and
 * a match that is passed over so comes in the next round.
 * @param signal stops before the next owner
 * @param now milliseconds
 * @returns how many it notified
 */
export async function notifyWaitingOwners(db: Db, signal?: AbortSignal, now = Date.now()): Promise<number> {
  for (let notified = 0, offset = 0; ; offset += MATCHES_PER_PAGE) {
    for (const match of await selectWaitingMatches(db, now, selectUntoldPage(db, offset)).execute()) {
      if (signal?.aborted) return notified
      try {
        if (await transact(db, (trx) => notifyWaitingOwner(trx, match, now))) notified++
      } catch (error) {
        // The next round tries it again; the others are notified now.
        console.error('perrario · un perro encontrado no se pudo anunciar:', error)
      }
      await nextTurn()
    }
    if (!(await selectUntoldPage(db, offset + MATCHES_PER_PAGE).executeTakeFirst())) return notified
  }
}

async function notifyWaitingOwner(trx: Trx, { noticeId, caseId }: FoundMatch, now: number): Promise<boolean> {
  // The dog may have been hidden, or the notice reported, meanwhile.
  const untold = selectUntold(trx).where('notice_id', '=', noticeId).where('case_id', '=', caseId)
  const current = await selectWaitingMatches(trx, now, untold).executeTakeFirst()
  return current !== undefined && (await notifyOwner(trx, current, now))
}
