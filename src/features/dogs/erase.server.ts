import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import type { Schema } from '#db/schema.ts'
import { deleteQuarantinedOfDog, updateQuarantined } from '#features/moderation/quarantine.server.ts'
import { deleteDogNotifications } from '#features/notifications/notifications.server.ts'
import { planRemoval } from '#features/photos/planned-moves.server.ts'
import type { DogPhotos } from '#features/photos/photos.server.ts'
import { type QuarantinedDog, parseQuarantinedDog, participantsOf, photosOfQuarantined } from './quarantine.server.ts'
import { publishDogEvent } from './dog-events.server.ts'

/** What becomes of a leaving member's dogs: they go too, or stay in the album without them. */
export type DogsChoice = 'delete' | 'keep'

const ROLE_COLUMNS = ['user_id', 'owner_id', 'discoverer_id'] as const

/** The member has a part in the dog and nobody else has. */
const isOnlyOf =
  (userId: string) =>
  (eb: ExpressionBuilder<Schema, 'dogs'>): Expression<SqlBool> =>
    eb.and([
      eb.or(ROLE_COLUMNS.map((role) => eb(role, '=', userId))),
      ...ROLE_COLUMNS.map((role) => eb.or([eb(role, 'is', null), eb(role, '=', userId)])),
    ])

/**
 * Takes the member's name off every dog; with `delete`, the dogs that are theirs alone go before, and their addresses
 * answer 410. A dog in which somebody else has a part stays with them. Call it inside a transaction.
 * @returns the photos that go with them: `settlePhotos` of their dogs once the transaction has held
 */
export async function eraseUser(trx: Db, userId: string, choice: DogsChoice): Promise<DogPhotos[]> {
  const photos = choice === 'delete' ? await deleteDogsOf(trx, userId) : []
  photos.push(...(await eraseFromQuarantinedDogs(trx, userId, choice)))
  for (const of of photos) await planRemoval(trx, of)
  await trx.deleteFrom('ownership_requests').where('user_id', '=', userId).execute()
  const changed = new Set<string>()
  for (const role of ROLE_COLUMNS) {
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
  for (const id of changed) await publishDogEvent(trx, 'changed', id)
  return photos
}

async function deleteDogsOf(trx: Db, userId: string): Promise<DogPhotos[]> {
  const images = await trx
    .selectFrom('dog_images')
    .select(['dog_id', 'url'])
    .where('dog_id', 'in', (eb) => eb.selectFrom('dogs').select('id').where(isOnlyOf(userId)))
    .execute()
  const gone = await trx.selectFrom('dogs').select('id').where(isOnlyOf(userId)).execute()
  const urls = Map.groupBy(images, ({ dog_id }) => dog_id)
  const photos: DogPhotos[] = []
  for (const { id } of gone) {
    await deleteDogNotifications(trx, id)
    await trx.deleteFrom('dogs').where('id', '=', id).execute()
    const held = (await deleteQuarantinedOfDog(trx, id)).flatMap(photosOfQuarantined)
    photos.push({ dogId: id, urls: [...(urls.get(id) ?? []).map(({ url }) => url), ...held] })
    await publishDogEvent(trx, 'removed', id)
  }
  return photos
}

/**
 * The same for dogs out of sight. What the member wrote on other held dogs, and their likes of them, goes as well: they
 * would come back with the dog.
 */
async function eraseFromQuarantinedDogs(trx: Db, userId: string, choice: DogsChoice): Promise<DogPhotos[]> {
  const photos: DogPhotos[] = []
  const rows = await trx
    .selectFrom('held')
    .selectAll()
    .where('kind', '=', 'dog')
    .where(sql<boolean>`instr(snapshot, ${userId}) > 0`)
    .execute()
  for (const held of rows) {
    const whole = parseQuarantinedDog(held)
    const people = participantsOf(whole).filter((id) => id !== null)
    if (choice === 'delete' && people.length > 0 && people.every((id) => id === userId)) {
      const all = [held, ...(await deleteQuarantinedOfDog(trx, held.thing_id))]
      photos.push({ dogId: held.thing_id, urls: all.flatMap(photosOfQuarantined) })
      continue
    }
    const others = <T extends { user_id: string }>(list: T[]) => list.filter((row) => row.user_id !== userId)
    const dog = { ...whole.dog }
    for (const role of ROLE_COLUMNS) if (dog[role] === userId) dog[role] = null
    const rest: QuarantinedDog = {
      ...whole,
      dog,
      likes: others(whole.likes),
      comments: others(whole.comments),
      requests: others(whole.requests),
    }
    await updateQuarantined(trx, held, participantsOf(rest), rest)
  }
  return photos
}
