import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import type { Schema } from '#db/schema.ts'
import { dropHeldOfDog, rewrite } from '#features/moderation/held.server.ts'
import { dropDogLines } from '#features/notifications/notifications.server.ts'
import { planRemoval } from '#features/photos/moves.server.ts'
import type { DogPhotos } from '#features/photos/photos.server.ts'
import { type HeldDog, heldDog, peopleOfHeld, photosOfHeld } from './hold.server.ts'
import { tellDog } from './tell.server.ts'

/** What becomes of a leaving member's dogs: they go too, or stay in the album without them. */
export type DogsChoice = 'delete' | 'keep'

const ROLES = ['user_id', 'owner_id', 'discoverer_id'] as const

/** The member has a part in the dog and nobody else has. */
const onlyOf =
  (userId: string) =>
  (eb: ExpressionBuilder<Schema, 'dogs'>): Expression<SqlBool> =>
    eb.and([
      eb.or(ROLES.map((role) => eb(role, '=', userId))),
      ...ROLES.map((role) => eb.or([eb(role, 'is', null), eb(role, '=', userId)])),
    ])

/**
 * Takes the member's name off every dog; with `delete`, the dogs that are theirs alone go before, and their addresses
 * answer 410. A dog in which somebody else has a part stays with them. Call it inside a transaction.
 * @returns the photos that go with them: `settlePhotos` of their dogs once the transaction has held
 */
export async function eraseUser(trx: Db, userId: string, choice: DogsChoice): Promise<DogPhotos[]> {
  const photos = choice === 'delete' ? await removeDogsOf(trx, userId) : []
  photos.push(...(await eraseHeld(trx, userId, choice)))
  for (const of of photos) await planRemoval(trx, of)
  await trx.deleteFrom('ownership_requests').where('user_id', '=', userId).execute()
  const changed = new Set<string>()
  for (const role of ROLES) {
    const rows = await trx
      .updateTable('dogs')
      .set({ [role]: null })
      .where(role, '=', userId)
      .returning('id')
      .execute()
    for (const { id } of rows) {
      changed.add(id)
      // Nobody is left to answer whose the dog is.
      if (role === 'discoverer_id') await trx.deleteFrom('ownership_requests').where('dog_id', '=', id).execute()
    }
  }
  for (const id of changed) await tellDog(trx, 'changed', id)
  return photos
}

async function removeDogsOf(trx: Db, userId: string): Promise<DogPhotos[]> {
  const images = await trx
    .selectFrom('dog_images')
    .select(['dog_id', 'url'])
    .where('dog_id', 'in', (eb) => eb.selectFrom('dogs').select('id').where(onlyOf(userId)))
    .execute()
  const gone = await trx.selectFrom('dogs').select('id').where(onlyOf(userId)).execute()
  const urls = Map.groupBy(images, ({ dog_id }) => dog_id)
  const photos: DogPhotos[] = []
  for (const { id } of gone) {
    await dropDogLines(trx, id)
    await trx.deleteFrom('dogs').where('id', '=', id).execute()
    const held = (await dropHeldOfDog(trx, id)).flatMap(photosOfHeld)
    photos.push({ dogId: id, urls: [...(urls.get(id) ?? []).map(({ url }) => url), ...held] })
    await tellDog(trx, 'removed', id)
  }
  return photos
}

/**
 * The same for dogs out of sight. What the member wrote on other held dogs, and their likes of them, goes as well: they
 * would come back with the dog.
 */
async function eraseHeld(trx: Db, userId: string, choice: DogsChoice): Promise<DogPhotos[]> {
  const photos: DogPhotos[] = []
  const rows = await trx
    .selectFrom('held')
    .selectAll()
    .where('kind', '=', 'dog')
    .where(sql<boolean>`instr(snapshot, ${userId}) > 0`)
    .execute()
  for (const held of rows) {
    const whole = heldDog(held)
    const people = peopleOfHeld(whole).filter((id) => id !== null)
    if (choice === 'delete' && people.length > 0 && people.every((id) => id === userId)) {
      const all = [held, ...(await dropHeldOfDog(trx, held.thing_id))]
      photos.push({ dogId: held.thing_id, urls: all.flatMap(photosOfHeld) })
      continue
    }
    const others = <T extends { user_id: string }>(list: T[]) => list.filter((row) => row.user_id !== userId)
    const dog = { ...whole.dog }
    for (const role of ROLES) if (dog[role] === userId) dog[role] = null
    const rest: HeldDog = {
      ...whole,
      dog,
      likes: others(whole.likes),
      comments: others(whole.comments),
      requests: others(whole.requests),
    }
    await rewrite(trx, held, peopleOfHeld(rest), rest)
  }
  return photos
}
