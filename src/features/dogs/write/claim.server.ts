import { timingSafeEqual } from 'node:crypto'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { assignCaseMember } from '#features/moderation/cases.server.ts'
import { assertReviewRoom } from '#features/moderation/reviews.server.ts'
import { findQuarantined, readQuarantined, updateQuarantined } from '#features/moderation/quarantine.server.ts'
import { notify } from '#features/notifications/notifications.server.ts'
import { DOG_PLACEHOLDER } from '#lib/text/names.ts'
import { AppError, forbidden } from '#lib/errors.ts'
import { hashClaimToken } from './add.server.ts'
import { dogNotFound, getDog } from '#features/dogs/dog.server.ts'
import type { Relationship } from './dog-fields.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { toQuarantinedDogView, parseQuarantinedDog, participantsOf } from '#features/dogs/quarantine.server.ts'
import { publishDogEvent } from '#features/dogs/dog-events.server.ts'
import { withNewBreedNotifications } from '#features/dogs/new-breed.server.ts'

/** The notification's texts. */
const CLAIMED_NOTIFICATION = {
  title: 'Perro asociado',
  content: `Has asociado ${DOG_PLACEHOLDER} a tu cuenta.`,
}

const CLAIMED_PENDING_NOTIFICATION = {
  title: 'Perro asociado',
  content: 'Has asociado un perro a tu cuenta. Lo verán los demás cuando lo hayamos revisado.',
}

const alreadyClaimed = () => new AppError(409, 'Este perro ya está asociado a una cuenta.')
const notClaimable = () => forbidden('Solo quien añadió este perro puede asociarlo a su cuenta.')

const isSameToken = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/**
 * Makes an anonymous dog the member's, as owner or discoverer (docs/product.md §10.5). The token, which only the
 * device that added the dog holds, works once.
 * @throws AppError 404, also for a wrong token of a dog in quarantine; 403 for a wrong token or a banned member; 409 for a dog that has a
 *   participant; 429 for one in quarantine, where as many of the member's wait for the admin as may
 */
export async function claimDog(
  db: Db,
  userId: string,
  id: string,
  { ownershipType, token }: { ownershipType: Relationship; token: string },
  now = Date.now(),
): Promise<Dog> {
  let pending: Dog | undefined
  await transact(db, async (trx) => {
    pending = undefined
    await assertNotBanned(trx, userId, now)
    const row = await trx
      .selectFrom('dogs')
      .leftJoin('dog_claims', 'dog_claims.dog_id', 'dogs.id')
      .select(['breed_slug', 'user_id', 'owner_id', 'discoverer_id', 'token_hash'])
      .where('dogs.id', '=', id)
      .executeTakeFirst()
    if (!row) {
      pending = await claimQuarantinedDog(trx, userId, id, ownershipType, token)
      await assertReviewRoom(trx, userId)
      await assignCaseMember(trx, 'dog', id, userId)
      // A quarantined dog has no row to link to: the notification names no dog.
      await notify(trx, { userId, type: 'other', ...CLAIMED_PENDING_NOTIFICATION }, now)
      return
    }
    if (row.user_id || row.owner_id || row.discoverer_id) throw alreadyClaimed()
    if (!row.token_hash || !isSameToken(row.token_hash, hashClaimToken(token))) throw notClaimable()
    await assignCaseMember(trx, 'dog', id, userId)
    const update = trx
      .updateTable('dogs')
      .set({ user_id: userId, [`${ownershipType}_id`]: userId, updated_at: now })
      .where('id', '=', id)
    const arrival = { dogId: id, breedSlug: row.breed_slug, userIds: [userId] }
    await withNewBreedNotifications(trx, arrival, () => update.execute(), now)
    await trx.deleteFrom('dog_claims').where('dog_id', '=', id).execute()
    await notify(trx, { userId, type: 'other', ...CLAIMED_NOTIFICATION, dogId: id }, now)
    await publishDogEvent(trx, 'changed', id, now)
  })
  return pending ?? getDog(db, id)
}

/** The same for a dog in quarantine: without its token it is not found, as a deleted one is not. */
async function claimQuarantinedDog(
  trx: Trx,
  userId: string,
  id: string,
  type: Relationship,
  token: string,
): Promise<Dog> {
  const item = await findQuarantined(trx, 'dog', id)
  if (!item) throw dogNotFound()
  if (!item.claim_hash || !isSameToken(item.claim_hash, hashClaimToken(token))) throw dogNotFound()
  if ([item.owner_id, item.discoverer_id, item.uploader_id].some((id) => id !== null)) throw alreadyClaimed()
  const quarantined = await readQuarantined(trx, 'dog', id)
  if (!quarantined) throw dogNotFound()
  const snapshot = parseQuarantinedDog(quarantined)
  const dog = { ...snapshot.dog, user_id: userId, [`${type}_id`]: userId }
  const claimed = { ...snapshot, dog, claims: [] }
  const state = { memberIds: participantsOf(claimed), roles: dog, claimHash: null }
  await updateQuarantined(trx, item, state, claimed)
  return toQuarantinedDogView(claimed)
}
