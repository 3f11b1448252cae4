import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { assignCaseMember } from '#features/moderation/cases.server.ts'
import { assertReviewRoom } from '#features/moderation/reviews.server.ts'
import { notify } from '#features/notifications/notify.server.ts'
import { endSecrets, useSecret } from '#features/secrets/secrets.server.ts'
import { AppError, forbidden } from '#lib/errors.ts'
import { toClaimSecret } from './add.server.ts'
import { dogNotFound, getDog } from '#features/dogs/dog.server.ts'
import type { Relationship } from './dog-fields.ts'
import type { Dog } from '#features/dogs/dogs.ts'
import { findHiddenDog, peopleOf, toHiddenDog } from '#features/dogs/hidden-dogs.server.ts'
import { publishDogEvent } from '#features/dogs/dog-events.server.ts'
import { withNewBreedNotifications } from '#features/dogs/new-breed.server.ts'

const alreadyClaimed = () => new AppError(409, 'Este perro ya está asociado a una cuenta.')
const notClaimable = () => forbidden('Solo quien añadió este perro puede asociarlo a su cuenta.')

/**
 * Makes an anonymous dog the member's, as owner or discoverer (docs/product.md §10.5). The token, which only the
 * device that added the dog holds, works once.
 * @throws AppError 404, also for a wrong token of a hidden dog; 403 for a wrong token or a banned member; 409 for a dog that has a
 *   participant; 429 for a hidden one, where as many of the member's wait for the admin as may
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
      .selectFrom('dogs_all as d')
      .select(['d.breed_slug', 'd.user_id', 'd.owner_id', 'd.discoverer_id', 'd.hidden'])
      .where('d.id', '=', id)
      .executeTakeFirst()
    if (!row) throw dogNotFound()
    const isClaimed = peopleOf(row).some((person) => person !== null)
    const isHidden = row.hidden !== 0
    if (isClaimed && !isHidden) throw alreadyClaimed()
    // Without its token a hidden dog is not found, as a deleted one is not.
    if ((await useSecret(trx, 'dog-claim', toClaimSecret(token), now))?.dog_id !== id)
      throw isHidden ? dogNotFound() : notClaimable()
    if (isHidden) await assertReviewRoom(trx, userId)
    await assignCaseMember(trx, 'dog', id, userId)
    const update = trx
      .updateTable('dogs_all')
      .set({ user_id: userId, [`${ownershipType}_id`]: userId, updated_at: now })
      .where('id', '=', id)
    const arrival = { dogId: id, breedSlug: row.breed_slug, userIds: [userId] }
    await withNewBreedNotifications(trx, arrival, () => update.execute(), now)
    await endSecrets(trx, 'dog-claim', { dog_id: id })
    await (isHidden
      ? notify(trx, 'claimed-hidden', { userId }, now)
      : notify(trx, 'claimed', { userId, dogId: id }, now))
    const hidden = await findHiddenDog(trx, id)
    if (hidden) pending = await toHiddenDog(trx, hidden)
    else await publishDogEvent(trx, 'changed', id, now)
  })
  return pending ?? getDog(db, id)
}
