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

/** What happens to the dogs of a member who leaves: `delete` removes them, `keep` leaves them without the member. */
export type DogsChoice = 'delete' | 'keep'

const ROLE_COLUMNS = ['user_id', 'owner_id', 'discoverer_id'] as const

/** True of dogs whose only participant is the member. */
const isOnlyOf =
  (userId: string) =>
  (eb: ExpressionBuilder<Schema, 'dogs'>): Expression<SqlBool> =>
    eb.and([
      eb.or(ROLE_COLUMNS.map((role) => eb(role, '=', userId))),
      ...ROLE_COLUMNS.map((role) => eb.or([eb(role, 'is', null), eb(role, '=', userId)])),
    ])

/**
 * Removes the member from every dog. With `delete`, first deletes the dogs whose only participant is the member; their
 * paths answer 410. Dogs with other participants stay. Call it inside a transaction.
 * @returns the photos of the deleted dogs: call `applyPhotoMoves` for them after the commit
 */
export async function eraseUser(trx: Db, userId: string, choice: DogsChoice): Promise<DogPhotos[]> {
  const photos = choice === 'delete' ? await deleteDogsOf(trx, userId) : []
  photos.push(...(await eraseFromQuarantinedDogs(trx, userId, choice)))
  for (const photosOfDog of photos) await planRemoval(trx, photosOfDog)
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
      // Only the discoverer can answer requests: without one they are void.
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
  const dogs = await trx.selectFrom('dogs').select('id').where(isOnlyOf(userId)).execute()
  const urls = Map.groupBy(images, ({ dog_id }) => dog_id)
  const photos: DogPhotos[] = []
  for (const { id } of dogs) {
    await deleteDogNotifications(trx, id)
    await trx.deleteFrom('dogs').where('id', '=', id).execute()
    const quarantinedUrls = (await deleteQuarantinedOfDog(trx, id)).flatMap(photosOfQuarantined)
    photos.push({ dogId: id, urls: [...(urls.get(id) ?? []).map(({ url }) => url), ...quarantinedUrls] })
    await publishDogEvent(trx, 'removed', id)
  }
  return photos
}

/**
 * The same for quarantined dogs. Also removes the member's comments and likes from other quarantined dogs: a restored
 * dog would bring them back.
 */
async function eraseFromQuarantinedDogs(trx: Db, userId: string, choice: DogsChoice): Promise<DogPhotos[]> {
  const photos: DogPhotos[] = []
  const rows = await trx
    .selectFrom('held')
    .selectAll()
    .where('kind', '=', 'dog')
    .where(sql<boolean>`instr(snapshot, ${userId}) > 0`)
    .execute()
  for (const item of rows) {
    const snapshot = parseQuarantinedDog(item)
    const participants = participantsOf(snapshot).filter((id) => id !== null)
    if (choice === 'delete' && participants.length > 0 && participants.every((id) => id === userId)) {
      const items = [item, ...(await deleteQuarantinedOfDog(trx, item.thing_id))]
      photos.push({ dogId: item.thing_id, urls: items.flatMap(photosOfQuarantined) })
      continue
    }
    const withoutMember = <T extends { user_id: string }>(list: T[]) => list.filter((row) => row.user_id !== userId)
    const dog = { ...snapshot.dog }
    for (const role of ROLE_COLUMNS) if (dog[role] === userId) dog[role] = null
    const erased: QuarantinedDog = {
      ...snapshot,
      dog,
      likes: withoutMember(snapshot.likes),
      comments: withoutMember(snapshot.comments),
      requests: withoutMember(snapshot.requests),
    }
    await updateQuarantined(trx, item, participantsOf(erased), erased)
  }
  return photos
}
