import { timingSafeEqual } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { mustWrite } from '#features/moderation/bans.server.ts'
import { attributeCase } from '#features/moderation/cases.server.ts'
import { heldOf, rewrite } from '#features/moderation/held.server.ts'
import { notify } from '#features/notifications/notifications.server.ts'
import { dogInSentence } from '#features/notifications/notifications.ts'
import { AppError, forbidden } from '#lib/errors.ts'
import { hashToken } from './add.server.ts'
import { dogMissing, getDog } from './dog.server.ts'
import type { Relationship } from './dogInput.ts'
import type { Dog } from './dogs.ts'
import { dogOfHeld, heldDog, peopleOfHeld } from './hold.server.ts'
import { tellDog } from './tell.server.ts'
import { tellingNewBreeds } from './unlock.server.ts'

/** The bell's line. */
const claimedLine = (name: string) => ({
  title: 'Perro asociado',
  content: `Has asociado ${dogInSentence(name)} a tu cuenta.`,
})

const CLAIMED_WAITING = {
  title: 'Perro asociado',
  content: 'Has asociado un perro a tu cuenta. Lo verán los demás cuando lo hayamos revisado.',
}

const taken = () => new AppError(409, 'Este perro ya está asociado a una cuenta.')
const wrong = () => forbidden('Solo quien añadió este perro puede asociarlo a su cuenta.')

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/**
 * Makes an anonymous dog the member's, as owner or discoverer (docs/product.md §10.5). The token, which only the
 * device that added the dog holds, works once.
 * @throws AppError 404, 403 for a wrong token, 409 for a dog that is somebody's already
 */
export async function claimDog(
  db: Db,
  userId: string,
  id: string,
  { ownershipType, token }: { ownershipType: Relationship; token: string },
  now = Date.now(),
): Promise<Dog> {
  let waiting: Dog | undefined
  await db.transaction().execute(async (trx) => {
    await mustWrite(trx, userId, now)
    await attributeCase(trx, 'dog', id, userId)
    const row = await trx
      .selectFrom('dogs')
      .leftJoin('dog_claims', 'dog_claims.dog_id', 'dogs.id')
      .select(['name', 'breed_slug', 'user_id', 'owner_id', 'discoverer_id', 'token_hash'])
      .where('dogs.id', '=', id)
      .executeTakeFirst()
    if (!row) {
      waiting = await claimHeld(trx, userId, id, ownershipType, token)
      // Its row is nowhere a line could go with: the line names no dog.
      await notify(trx, { userId, type: 'other', ...CLAIMED_WAITING }, now)
      return
    }
    if (row.user_id || row.owner_id || row.discoverer_id) throw taken()
    if (!row.token_hash || !isSame(row.token_hash, hashToken(token))) throw wrong()
    const update = trx
      .updateTable('dogs')
      .set({ user_id: userId, [`${ownershipType}_id`]: userId, updated_at: now })
      .where('id', '=', id)
    const arrival = { dogId: id, breedSlug: row.breed_slug, userIds: [userId] }
    await tellingNewBreeds(trx, arrival, () => update.execute(), now)
    await trx.deleteFrom('dog_claims').where('dog_id', '=', id).execute()
    await notify(trx, { userId, type: 'other', ...claimedLine(row.name), dogId: id }, now)
    await tellDog(trx, 'changed', id, now)
  })
  return waiting ?? getDog(db, id)
}

/** The same of a dog that waits for the admin. */
async function claimHeld(trx: Db, userId: string, id: string, type: Relationship, token: string): Promise<Dog> {
  const held = await heldOf(trx, 'dog', id)
  if (!held) throw dogMissing()
  const whole = heldDog(held)
  if (peopleOfHeld(whole).some((person) => person !== null)) throw taken()
  const [claim] = whole.claims
  if (!claim || !isSame(claim.token_hash, hashToken(token))) throw wrong()
  const dog = { ...whole.dog, user_id: userId, [`${type}_id`]: userId }
  const claimed = { ...whole, dog, claims: [] }
  await rewrite(trx, held, peopleOfHeld(claimed), claimed)
  return dogOfHeld(claimed)
}
