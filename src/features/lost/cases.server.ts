import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import type { LostCasesTable } from '#db/schema.ts'
import { deleteSightingPhotos, PHOTOS_PER_BATCH } from '#db/sighting-photos.ts'
import { transact } from '#db/transact.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { findTextFlag } from '#features/moderation/text-filter.ts'
import type { Requester } from '#lib/auth/current-user.ts'
import { forbidden, invalid, notFound, unauthenticated } from '#lib/errors.ts'
import type { GeoPoint } from '#lib/geo.ts'
import { DAY_MS } from '#lib/time.ts'
import { planAlerts } from './alerts/alert-allowance.server.ts'
import { drawCode } from './case-code.server.ts'
import { nextQuestionAt } from './question-times.ts'
import { CLOCK_TOLERANCE_MS, LOST_TEXTS, type LostPrefill, type OwnLostCase, SINCE_MAX_YEARS } from './lost.ts'
import type { LostInput } from './lost-input.ts'
import { toPublicCase } from './open-cases.server.ts'
import { type Circle, moveBy, offsetOf, resolveLostPlace } from './place.server.ts'
import { deleteNotifications } from '#features/notifications/notify.server.ts'

const SINCE_MAX_MS = SINCE_MAX_YEARS * 366 * DAY_MS

type CaseRow = Selectable<LostCasesTable>

/** A case for its owner, with its exact point. */
export const toOwnCase = (row: CaseRow): OwnLostCase => ({
  ...toPublicCase(row),
  point: row.lat === null || row.lon === null ? null : { lat: row.lat, lon: row.lon },
  asked_at: row.asked_at,
  alerts: row.alerts,
})

/**
 * Checks that the dog is in the lists and the member's own. The admin is an ordinary member, and the discoverer is not the owner.
 * @throws AppError 404; 403
 */
export async function assertOwnDog(db: Db, userId: string, dogId: string): Promise<void> {
  const dog = await db.selectFrom('dogs').select('owner_id').where('id', '=', dogId).executeTakeFirst()
  if (!dog) throw notFound(LOST_TEXTS.noDog)
  if (dog.owner_id !== userId) throw forbidden(LOST_TEXTS.owner)
}

/** The open case of a dog. */
export const selectCase = (db: Db, dogId: string) =>
  db.selectFrom('lost_cases').selectAll().where('dog_id', '=', dogId).executeTakeFirst()

/**
 * The dog's open case with its exact point, for its owner alone; null where the dog is not lost.
 * @throws AppError 401; 404 for a dog that is not in the lists; 403 for others than its owner
 */
export async function findOwnCase(db: Db, user: Requester, dogId: string): Promise<OwnLostCase | null> {
  if (!user) throw unauthenticated()
  await assertOwnDog(db, user.id, dogId)
  const row = await selectCase(db, dogId)
  return row?.owner_id === user.id ? toOwnCase(row) : null
}

/** What the form to reopen a case is filled in with; null unless the owner's last case of the dog ended without an answer. */
export async function findPrefill(db: Db, userId: string, dogId: string): Promise<LostPrefill | null> {
  const row = await db
    .selectFrom('lost_history')
    .select(['since', 'zone', 'help'])
    .where('dog_id', '=', dogId)
    .where('owner_id', '=', userId)
    .where('is_unanswered', '=', 1)
    .executeTakeFirst()
  return row ? { since: row.since ?? 0, zone: row.zone ?? '', help: row.help ?? '' } : null
}

/** @throws AppError 422 with an error of its field */
function assertValid({ since, help }: LostInput, now: number): void {
  if (since > now + CLOCK_TOLERANCE_MS) throw invalid(LOST_TEXTS.future, { since: LOST_TEXTS.future })
  if (since < now - SINCE_MAX_MS) throw invalid(LOST_TEXTS.tooOld, { since: LOST_TEXTS.tooOld })
  if (findTextFlag(help)) throw invalid(LOST_TEXTS.helpUnfit, { help: LOST_TEXTS.helpUnfit })
}

/**
 * Marks the owner's dog as lost, or changes what the case says, which also answers an open question. Others see the point after
 * its owner's offset.
 * @param options `mayOpen` false: changes an open case only
 * @throws AppError 401; 404 for a dog that is not in the lists, or not lost where no case may be opened; 403 for others than its owner, and
 *   banned members; 422 for a time, a place or a text that is refused
 */
export async function saveLostCase(
  db: Db,
  user: Requester,
  dogId: string,
  input: LostInput,
  now = Date.now(),
  { mayOpen = true }: { mayOpen?: boolean } = {},
): Promise<{ case: OwnLostCase; isNew: boolean }> {
  if (!user) throw unauthenticated()
  const prepare = async (trx: Trx) => {
    await assertNotBanned(trx, user.id, now)
    await assertOwnDog(trx, user.id, dogId)
    assertValid(input, now)
    const before = await selectCase(trx, dogId)
    if (!mayOpen && before?.owner_id !== user.id) throw notFound(LOST_TEXTS.notLost)
    const circles = await findCircles(trx, user.id, dogId)
    const place = resolveLostPlace(input, user.id, circles)
    return { before, place, circle: place.circle ?? circles.find((circle) => circle.dogId === dogId)?.moved ?? null }
  }
  // A case of an earlier owner goes: first its sightings' photos, which are many writes.
  await runInBatches(db, PHOTOS_PER_BATCH, async (trx, limit) => {
    const { before } = await prepare(trx)
    return before && before.owner_id !== user.id ? deleteSightingPhotos(trx, { dogId }, limit) : 0
  })
  return transact(db, async (trx) => {
    const { before, place, circle } = await prepare(trx)
    await beginHistory(trx, user.id, dogId, circle)
    const columns = {
      since: Math.min(input.since, now),
      zone: place.zone,
      province: place.province,
      lat: place.point?.lat ?? null,
      lon: place.point?.lon ?? null,
      shown_lat: place.shown.lat,
      shown_lon: place.shown.lon,
      help: input.help,
      chip: input.chip === null ? null : input.chip ? (1 as const) : (0 as const),
      updated_at: now,
    }
    if (before?.owner_id === user.id) {
      await answer(trx, before, now)
      await trx.updateTable('lost_cases').set(columns).where('id', '=', before.id).execute()
    } else {
      // The case of an earlier owner.
      if (before) await trx.deleteFrom('lost_cases').where('id', '=', before.id).execute()
      const row = { ...columns, id: randomUUID(), dog_id: dogId, owner_id: user.id, code: await drawCode(trx) }
      const times = { opened_at: now, questions: 0, asked_at: null, due_at: nextQuestionAt(now, 0, now) }
      await trx
        .insertInto('lost_cases')
        .values({ ...row, ...times, alerts: null })
        .execute()
      await planAlerts(trx, { caseId: row.id, dogId, ownerId: user.id }, now)
    }
    const saved = await trx.selectFrom('lost_cases').selectAll().where('dog_id', '=', dogId).executeTakeFirstOrThrow()
    return { case: toOwnCase(saved), isNew: before?.owner_id !== user.id }
  })
}

/** The circles of the owner's dogs, this dog's first: of open cases as others see them, of earlier ones as they are remembered. */
async function findCircles(trx: Trx, userId: string, dogId: string): Promise<Circle[]> {
  const rows = await trx
    .selectFrom('lost_history as h')
    .leftJoin('lost_cases as c', (join) =>
      join.onRef('c.dog_id', '=', 'h.dog_id').onRef('c.owner_id', '=', 'h.owner_id').on('c.lat', 'is not', null),
    )
    .select(['h.dog_id', 'h.circle_lat', 'h.circle_lon', 'c.lat', 'c.lon', 'c.shown_lat', 'c.shown_lon'])
    .where('h.owner_id', '=', userId)
    .orderBy('h.dog_id')
    .execute()
  const offset = offsetOf(userId)
  const circles = rows.flatMap(({ dog_id, circle_lat, circle_lon, lat, lon, shown_lat, shown_lon }) => {
    const remembered = toPoint(circle_lat, circle_lon)
    const exact = toPoint(lat, lon)
    // A case from before circles were remembered was moved by another offset.
    const moved = remembered ?? (exact && moveBy(exact, offset))
    return moved ? [{ dogId: dog_id, moved, shown: toPoint(shown_lat, shown_lon) ?? moved }] : []
  })
  return circles.toSorted((a, b) => Number(b.dogId === dogId) - Number(a.dogId === dogId))
}

const toPoint = (lat: number | null, lon: number | null): GeoPoint | null =>
  lat === null || lon === null ? null : { lat, lon }

/** Begins or continues the history of a dog with an open case. */
async function beginHistory(trx: Trx, userId: string, dogId: string, circle: GeoPoint | null): Promise<void> {
  const open = {
    owner_id: userId,
    circle_lat: circle?.lat ?? null,
    circle_lon: circle?.lon ?? null,
    ended_at: null,
    is_unanswered: 0 as const,
    since: null,
    zone: null,
    help: null,
    thanked_at: null,
  }
  await trx
    .insertInto('lost_history')
    .values({ dog_id: dogId, alerted_at: null, offset_north_m: 0, offset_east_m: 0, ...open })
    .onConflict((conflict) => conflict.column('dog_id').doUpdateSet(open))
    .execute()
}

/** Records the answer to the open question, if there is one: deletes its notification and schedules the next question. */
async function answer(trx: Trx, { id, dog_id, owner_id, opened_at, questions, asked_at }: CaseRow, now: number) {
  if (asked_at === null) return
  await deleteNotifications(trx, 'still-lost', { userId: owner_id, dogId: dog_id })
  const due_at = nextQuestionAt(opened_at, questions, now)
  await trx.updateTable('lost_cases').set({ asked_at: null, due_at }).where('id', '=', id).execute()
}

/**
 * «Sí, sigue perdido»: answers the open question; without one it changes nothing.
 * @throws AppError 401; 404 where the dog is not lost; 403 for others than its owner, and banned members
 */
export async function confirmStillLost(db: Db, user: Requester, dogId: string, now = Date.now()): Promise<void> {
  if (!user) throw unauthenticated()
  await transact(db, async (trx) => {
    await assertNotBanned(trx, user.id, now)
    await assertOwnDog(trx, user.id, dogId)
    const row = await selectCase(trx, dogId)
    if (row?.owner_id !== user.id) throw notFound(LOST_TEXTS.notLost)
    await answer(trx, row, now)
  })
}
