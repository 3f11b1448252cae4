import { randomUUID } from 'node:crypto'
import type { Db, Trx } from '#db/client.ts'
import { onlyCause } from '#db/content.ts'
import { transact } from '#db/transact.ts'
import { needsReview } from '#features/contact/refusals.server.ts'
import { hashNetwork } from '#features/contact/sender-networks.server.ts'
import { findTextWarning } from '#features/contact/text-warning.ts'
import { assertNotBanned, findActiveBan } from '#features/moderation/bans.server.ts'
import { countSightings } from '#features/lost/sighting-count.server.ts'
import { assertNotBlocked, isVisibleTo } from '#features/moderation/visibility.server.ts'
import { notify, notifyAdmin } from '#features/notifications/notify.server.ts'
import type { PreparedPhoto } from '#features/photos/ingest.server.ts'
import { toPhotoRow } from '#features/photos/photo-row.server.ts'
import { AppError, forbidden, notFound } from '#lib/errors.ts'
import { hashRequestKey, type RequestKey } from '#db/request-key.ts'
import { DAY_MS, HOUR_MS, HOUR_SECONDS } from '#lib/time.ts'
import { waitingLine } from './list.server.ts'
import { assertNotEarly, type SightingInput } from './sighting-input.server.ts'
import { SIGHTING_TEXTS } from './sightings.ts'

export interface NewSighting {
  dogId: string
  input: SightingInput
  /** Null: none was sent. */
  photo: PreparedPhoto | null
  /** Null for a visitor. */
  userId: string | null
  /** Hash of the secret that a visitor's device holds; the owner can write to who has one. */
  secretHash?: string | null
  /** IP address; stored as a hash of the day. */
  network: string
  /** The Idempotency-Key with its sender. */
  requestKey?: RequestKey | undefined
  /** The admin's address, who is notified of what waits for review. */
  adminEmail?: string | undefined
}

/** Sightings of one case from all senders: more than a whole neighbourhood sends. */
const CASE_SIGHTINGS_PER_HOUR = 60
const CASE_SIGHTINGS_PER_DAY = 300
/** The visitors' share of these, so that ten networks cannot shut members out. */
const VISITORS_PER_HOUR = 40
const VISITORS_PER_DAY = 200

/** The sighting that the same request sent before; null for a new one. */
export async function findSentSighting(db: Db, requestKey: NewSighting['requestKey']): Promise<string | null> {
  if (!requestKey) return null
  const row = await db
    .selectFrom('sightings_all')
    .select('id')
    .where('request_key', '=', hashRequestKey('sighting', requestKey))
    .executeTakeFirst()
  return row?.id ?? null
}

/**
 * The case that a sighting of a dog belongs to. Call it before a photo is read, and again in the transaction.
 * @throws AppError 403 for a banned member, across a block, or while the owner is banned; 404 for a dog that is hidden or deleted, or whose
 *   owner's account waits for its deletion or is being erased; 409 for one that is not lost
 */
export async function getSightableCase(db: Db, dogId: string, userId: string | null, now = Date.now()) {
  if (userId !== null) await assertNotBanned(db, userId, now)
  const dog = await db.selectFrom('dogs').select('owner_id').where('id', '=', dogId).executeTakeFirst()
  if (!dog) throw notFound('Perro no encontrado')
  const lost = await db
    .selectFrom('lost_cases')
    .select(['id', 'owner_id', 'since'])
    .where('dog_id', '=', dogId)
    .executeTakeFirst()
  if (!lost) throw new AppError(409, SIGHTING_TEXTS.notLost)
  if (!(await isVisibleTo(db, null, [lost.owner_id], 'presence'))) throw notFound('Perro no encontrado')
  // The dog stays in the lists as lost: the sentence says what else to do for it.
  if (await findActiveBan(db, lost.owner_id, now)) throw forbidden(SIGHTING_TEXTS.ownerBanned)
  // An owner who gave the dog up no longer looks for it.
  if (lost.owner_id !== dog.owner_id) throw new AppError(409, SIGHTING_TEXTS.notLost)
  if (userId !== null) await assertNotBlocked(db, userId, [lost.owner_id])
  return lost
}

/**
 * Stores a sighting and notifies the dog's owner at once. That of a sender whose sightings were refused goes to the admin's review first; its
 * sender does not learn of it. A repeated request changes nothing.
 * @throws AppError as `getSightableCase`; 422 for a time before the dog was lost; 429 where too many arrive for the dog
 */
export async function addSighting(
  db: Db,
  sighting: NewSighting,
  now = Date.now(),
): Promise<{ id: string; isNew: boolean }> {
  const { dogId, input, photo, userId, requestKey } = sighting
  const photoRow = photo && toPhotoRow(photo)
  return transact(db, async (trx) => {
    const lost = await getSightableCase(trx, dogId, userId, now)
    const sent = await findSentSighting(trx, requestKey)
    if (sent !== null) return { id: sent, isNew: false }
    assertNotEarly(input.at, lost.since)
    await assertCaseQuota(trx, lost.id, userId === null, now)
    const networks = await hashNetwork(trx, sighting.network, now)
    const isReviewed = await needsReview(trx, { memberId: userId, networks }, now)
    const id = randomUUID()
    await trx
      .insertInto('sightings_all')
      .values({
        id,
        case_id: lost.id,
        member_id: userId,
        secret_hash: sighting.secretHash ?? null,
        network: networks[0],
        request_key: requestKey ? hashRequestKey('sighting', requestKey) : null,
        at: input.at,
        lat: input.point?.lat ?? null,
        lon: input.point?.lon ?? null,
        zone: input.zone,
        words: input.words,
        warning: input.words === '' ? null : findTextWarning(input.words),
        state: 'delivered',
        created_at: now,
        hidden: onlyCause(isReviewed ? 'sender' : undefined),
      })
      .execute()
    if (photoRow)
      await trx
        .insertInto('sighting_photos')
        .values({ sighting_id: id, ...photoRow })
        .execute()
    if (isReviewed) await notifyAdmin(trx, sighting.adminEmail, 'review', await waitingLine(trx), now)
    else if (lost.owner_id !== userId) await notifyOwner(trx, { caseId: lost.id, dogId, ownerId: lost.owner_id }, now)
    return { id, isNew: true }
  })
}

/** @throws AppError 429 where too many arrive for the case */
async function assertCaseQuota(trx: Trx, caseId: string, isVisitor: boolean, now: number): Promise<void> {
  const rows = await trx
    .selectFrom('sightings_all')
    .select(['created_at', 'member_id', 'state'])
    .where('case_id', '=', caseId)
    .where('created_at', '>', now - DAY_MS)
    .limit(CASE_SIGHTINGS_PER_DAY)
    .execute()
  const inLastHour = ({ created_at }: { created_at: number }) => created_at > now - HOUR_MS
  const ofVisitors = rows.filter(({ member_id, state }) => member_id === null && state !== 'refused')
  const isFull = rows.length >= CASE_SIGHTINGS_PER_DAY || rows.filter(inLastHour).length >= CASE_SIGHTINGS_PER_HOUR
  const isVisitorsFull =
    ofVisitors.length >= VISITORS_PER_DAY || ofVisitors.filter(inLastHour).length >= VISITORS_PER_HOUR
  if (isFull || (isVisitor && isVisitorsFull))
    throw new AppError(429, SIGHTING_TEXTS.flood, { retryAfter: HOUR_SECONDS })
}

/**
 * Notifies the owner in the bell and on their devices, without the delay of likes; their quiet hours apply. Until they have read it, it is one
 * line, which counts the sightings. It says no place: it outlives the case.
 */
export async function notifyOwner(
  trx: Trx,
  { caseId, dogId, ownerId }: { caseId: string; dogId: string; ownerId: string },
  now: number,
): Promise<void> {
  const sightings = await countSightings(trx, caseId)
  await notify(trx, 'sighting', { userId: ownerId, dogId, sightings }, now)
}
