import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import { hasCause, withCause, withoutCauses } from '#db/content.ts'
import { transact } from '#db/transact.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { assertNotBlocked, visibleTo } from '#features/moderation/visibility.server.ts'
import { findContent } from '#features/moderation/content.server.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { AppError, forbidden, notFound, unauthenticated } from '#lib/errors.ts'
import { formatDate } from '#lib/dates.ts'
import { type DogRow, dogNotFound } from '#features/dogs/dog.server.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { DECLINED_COOLDOWN_MS, type OwnershipView, MAX_REQUESTS_SHOWN } from './ownership.ts'
import { publishDogEvent } from '#features/dogs/dog-events.server.ts'
import { withNewBreedNotifications } from '#features/dogs/new-breed.server.ts'
import type { Requester } from '#lib/auth/current-user.ts'

const conflict = (detail: string) => new AppError(409, detail)
const HAS_OWNER_ERROR = 'Este perro ya tiene dueño.'

async function getDogRow(trx: Trx, id: string): Promise<DogRow> {
  const row = await trx.selectFrom('dogs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw dogNotFound()
  return row
}

const findRequest = (db: Db, dogId: string, userId: string) =>
  db
    .selectFrom('ownership_requests')
    .selectAll()
    .where('dog_id', '=', dogId)
    .where('user_id', '=', userId)
    .executeTakeFirst()

/**
 * Requests the ownership of a dog without owner («Es mi perro») and notifies its discoverer (docs/product.md §5.4). Repeated
 * while it is open, it changes nothing.
 * @throws AppError 401, 404; 403 for banned or blocked members; 409 for a dog with an owner, without a discoverer, discovered
 * by the member, or declined within the cooldown
 */
export async function requestOwnership(db: Db, user: Requester, dogId: string, now = Date.now()): Promise<void> {
  if (!user) throw unauthenticated()
  await transact(db, async (trx) => {
    await assertNotBanned(trx, user.id, now)
    const dog = await getDogRow(trx, dogId)
    if (dog.owner_id) throw conflict(HAS_OWNER_ERROR)
    if (dog.discoverer_id === user.id) throw conflict('Lo descubriste tú: si es tuyo, edítalo y elige «Dueño».')
    if (!dog.discoverer_id) throw conflict('Nadie puede confirmarlo: este perro no tiene descubridor.')
    await assertNotBlocked(trx, user.id, [dog.discoverer_id])
    const before = await findRequest(trx, dogId, user.id)
    if (before?.declined_at === null) return
    if (before && before.declined_at + DECLINED_COOLDOWN_MS > now)
      throw conflict(
        `Ya te respondieron que no. Puedes volver a decirlo el ${formatDate(before.declined_at + DECLINED_COOLDOWN_MS)}.`,
      )
    await trx
      .insertInto('ownership_requests_all')
      .values({ dog_id: dogId, user_id: user.id, created_at: now, declined_at: null })
      .onConflict((c) => c.columns(['dog_id', 'user_id']).doUpdateSet({ created_at: now, declined_at: null }))
      .execute()
    await notify(trx, 'ownership-requested', { userId: dog.discoverer_id, dogId, actorId: user.id }, now)
  })
}

/** Withdraws the member's open request, if there is one. @throws AppError 401, 404 */
export async function withdrawOwnershipRequest(db: Db, user: Requester, dogId: string): Promise<void> {
  if (!user) throw unauthenticated()
  await transact(db, async (trx) => {
    await getDogRow(trx, dogId)
    // A declined one stays: its cooldown must not be skipped.
    await trx
      .deleteFrom('ownership_requests_all')
      .where('dog_id', '=', dogId)
      .where('user_id', '=', user.id)
      .where('declined_at', 'is', null)
      .execute()
  })
}

/**
 * The discoverer confirms or declines a member's request. A confirmation makes the member the owner, closes the other
 * requests and notifies everyone.
 * @throws AppError 401; 404 for the dog or the request; 403 for anyone but the discoverer, and between blocked members; 409
 * for a dog with an owner
 */
export async function answerOwnershipRequest(
  db: Db,
  user: Requester,
  dogId: string,
  userId: string,
  accept: boolean,
  now = Date.now(),
): Promise<void> {
  if (!user) throw unauthenticated()
  await transact(db, async (trx) => {
    await assertNotBanned(trx, user.id, now)
    const dog = await getDogRow(trx, dogId)
    if (dog.discoverer_id !== user.id) throw forbidden('Solo quien descubrió este perro puede responder.')
    if (dog.owner_id) throw conflict(HAS_OWNER_ERROR)
    const request = await findRequest(trx, dogId, userId)
    if (!request || request.declined_at !== null) throw notFound('Esa petición ya no existe.')
    await assertNotBlocked(trx, user.id, [userId])
    if (accept) await assignOwner(trx, dog, userId, now)
    else
      await trx
        .updateTable('ownership_requests_all')
        .set({ declined_at: now })
        .where('dog_id', '=', dogId)
        .where('user_id', '=', userId)
        .execute()
    const answer = accept ? 'ownership-confirmed' : 'ownership-declined'
    await notify(trx, answer, { userId, dogId, actorId: user.id }, now)
  })
  if (accept) await closeOwnershipRequests(db, dogId, now)
}

async function assignOwner(trx: Trx, dog: DogRow, userId: string, now: number): Promise<void> {
  await withNewBreedNotifications(
    trx,
    { dogId: dog.id, breedSlug: dog.breed_slug, userIds: [userId] },
    () => trx.updateTable('dogs_all').set({ owner_id: userId, updated_at: now }).where('id', '=', dog.id).execute(),
    now,
  )
  await trx.deleteFrom('ownership_requests_all').where('dog_id', '=', dog.id).where('user_id', '=', userId).execute()
  await publishDogEvent(trx, 'changed', dog.id, now)
}

/**
 * Deletes requests without notifying anyone: of one dog, of one member, or for all that one member discovered; at most `limit`. Call
 * it inside a transaction.
 * @returns how many it deleted
 */
export async function deleteRequests(
  trx: Trx,
  of: { dogId: string } | { userId: string } | { discovererId: string },
  limit: number,
): Promise<number> {
  const all = trx.selectFrom('ownership_requests_all as r').select(['r.dog_id', 'r.user_id']).limit(limit)
  const chosen =
    'dogId' in of
      ? all.where('r.dog_id', '=', of.dogId)
      : 'userId' in of
        ? all.where('r.user_id', '=', of.userId)
        : all.innerJoin('dogs_all as d', 'd.id', 'r.dog_id').where('d.discoverer_id', '=', of.discovererId)
  const { numDeletedRows } = await trx
    .deleteFrom('ownership_requests_all')
    .where(({ eb, refTuple }) => eb(refTuple('dog_id', 'user_id'), 'in', chosen.$asTuple('dog_id', 'user_id')))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const ofLeaving = (trx: Trx, userId: string, isHidden: boolean, limit: number) =>
  trx
    .selectFrom('ownership_requests_all')
    .select('dog_id')
    .where('user_id', '=', userId)
    .where((eb) => (isHidden ? hasCause('deletion') : eb.not(hasCause('deletion'))))
    .limit(limit)

/** Hides at most `limit` requests of a member whose account waits for its deletion. Call it inside a transaction. @returns how many */
export async function hideRequestsOf(trx: Trx, userId: string, limit: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('ownership_requests_all')
    .set({ hidden: withCause('deletion') })
    .where('user_id', '=', userId)
    .where('dog_id', 'in', ofLeaving(trx, userId, false, limit))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** The same back into sight, of dogs that are still to be claimed; nobody is notified again. */
export async function showRequestsOf(trx: Trx, userId: string, limit: number): Promise<number> {
  const rows = await ofLeaving(trx, userId, true, limit).execute()
  for (const { dog_id } of rows) {
    const dog = await findContent(trx, 'dog', dog_id)
    const isOpen = dog?.discoverer_id && dog.owner_id === null
    const shown = trx.updateTable('ownership_requests_all').set({ hidden: withoutCauses('deletion') })
    const gone = trx.deleteFrom('ownership_requests_all')
    if (isOpen) await shown.where('user_id', '=', userId).where('dog_id', '=', dog_id).execute()
    else await gone.where('user_id', '=', userId).where('dog_id', '=', dog_id).execute()
  }
  return rows.length
}

/** Requests closed in one transaction, each with a notification of five statements. */
const REQUESTS_PER_BATCH = 20

/** Deletes the requests for a dog that now has an owner and notifies the others, in batches. Call it outside a transaction. */
export const closeOwnershipRequests = (db: Db, dogId: string, now = Date.now()): Promise<number> =>
  runInBatches(db, REQUESTS_PER_BATCH, async (trx, limit) => {
    const requests = trx.selectFrom('ownership_requests').select('user_id').where('dog_id', '=', dogId).limit(limit)
    const dog = await trx.selectFrom('dogs').select('owner_id').where('id', '=', dogId).executeTakeFirst()
    // The owner may have left since: the requests of those who ask then stay.
    if (!dog?.owner_id) return 0
    const closed = await trx
      .deleteFrom('ownership_requests_all')
      .where('dog_id', '=', dogId)
      .where('user_id', 'in', requests)
      .returning(['user_id', 'declined_at'])
      .execute()
    for (const { user_id, declined_at } of closed)
      if (declined_at === null && user_id !== dog.owner_id)
        await notify(trx, 'ownership-closed', { userId: user_id, dogId }, now)
    return closed.length
  })

/** The ownership section for a viewer, by primary key or by the index ownership_requests_open. */
export async function loadOwnershipView(
  db: Db,
  dog: Pick<Dog, 'id' | 'owner_id' | 'discoverer_id'>,
  user: { id: string } | null,
  now = Date.now(),
): Promise<OwnershipView> {
  if (!user || dog.owner_id || !dog.discoverer_id) return { kind: 'none' }
  if (dog.discoverer_id === user.id) return findOpenRequests(db, dog.id, user.id)
  const request = await findRequest(db, dog.id, user.id)
  if (!request) return { kind: 'can-request' }
  if (request.declined_at === null) return { kind: 'requested' }
  const until = request.declined_at + DECLINED_COOLDOWN_MS
  return until > now ? { kind: 'declined', until } : { kind: 'can-request' }
}

async function findOpenRequests(db: Db, dogId: string, discovererId: string): Promise<OwnershipView> {
  const rows = await db
    .selectFrom('ownership_requests as r')
    .innerJoin('profiles as p', 'p.id', 'r.user_id')
    .select(['p.id', 'p.alias', 'p.emoji', 'p.verified'])
    .where('r.dog_id', '=', dogId)
    .where('r.declined_at', 'is', null)
    .where(visibleTo(discovererId, 'ownership').of('r.user_id'))
    .orderBy('r.created_at')
    .orderBy('r.user_id')
    .limit(MAX_REQUESTS_SHOWN + 1)
    .execute()
  if (rows.length === 0) return { kind: 'none' }
  const requests = rows.slice(0, MAX_REQUESTS_SHOWN).map((row) => ({ ...row, verified: row.verified === 1 }))
  return { kind: 'answer', requests, more: rows.length > MAX_REQUESTS_SHOWN }
}
