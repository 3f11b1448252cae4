import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { sql } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { runInBatches } from '#db/batches.ts'
import type { Db } from '#db/client.ts'
import type { Schema } from '#db/schema.ts'
import { deleteQuarantinedOfDog, updateQuarantined } from '#features/moderation/quarantine.server.ts'
import { deleteDogNotifications } from '#features/notifications/notifications.server.ts'
import { planRemoval } from '#features/photos/planned-moves.server.ts'
import { type QuarantinedDog, parseQuarantinedDog, participantsOf, photosOfQuarantined } from './quarantine.server.ts'
import { emptyDog } from './empty-dog.server.ts'
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

/** Dogs whose roles change in one batch: each is published with five statements. */
const DOGS_PER_BATCH = 10

/**
 * Takes the member's name off every dog; with `delete`, the dogs that are theirs alone are deleted before, and their addresses
 * answer 410. A dog in which somebody else has a part stays with them. In batches: call it outside a transaction; a second call
 * goes on where the first was interrupted.
 */
export async function eraseUser(db: Db, userId: string, choice: DogsChoice, signal?: AbortSignal): Promise<void> {
  if (choice === 'delete') await deleteDogsOf(db, userId, signal)
  await db.deleteFrom('ownership_requests').where('user_id', '=', userId).execute()
  for (const role of ROLE_COLUMNS)
    await runInBatches(db, DOGS_PER_BATCH, (trx, limit) => clearRole(trx, userId, role, limit), signal)
}

async function clearRole(trx: Db, userId: string, role: (typeof ROLE_COLUMNS)[number], limit: number): Promise<number> {
  const rows = await trx
    .updateTable('dogs')
    .set({ [role]: null })
    .where('id', 'in', (eb) => eb.selectFrom('dogs').select('id').where(role, '=', userId).limit(limit))
    .returning('id')
    .execute()
  for (const { id } of rows) {
    // Nobody is left to answer whose the dog is.
    if (role === 'discoverer_id') await trx.deleteFrom('ownership_requests').where('dog_id', '=', id).execute()
    await publishDogEvent(trx, 'changed', id)
  }
  return rows.length
}

async function deleteDogsOf(db: Db, userId: string, signal?: AbortSignal): Promise<void> {
  for (const { id } of await db.selectFrom('dogs').select('id').where(isOnlyOf(userId)).execute()) {
    await emptyDog(db, id, signal)
    await db.transaction().execute(async (trx) => {
      const images = await trx.selectFrom('dog_images').select('url').where('dog_id', '=', id).execute()
      await deleteDogNotifications(trx, id)
      await trx.deleteFrom('dogs').where('id', '=', id).execute()
      const held = (await deleteQuarantinedOfDog(trx, id)).flatMap(photosOfQuarantined)
      await planRemoval(trx, { dogId: id, urls: [...images.map(({ url }) => url), ...held] })
      await publishDogEvent(trx, 'removed', id)
    })
    await nextTurn()
  }
}

/**
 * The same for quarantined dogs, in one transaction: call it inside one. Also removes the member's comments and likes from other quarantined dogs: a restored
 * dog would bring them back.
 */
export async function eraseFromQuarantinedDogs(trx: Db, userId: string, choice: DogsChoice): Promise<void> {
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
      await planRemoval(trx, { dogId: item.thing_id, urls: items.flatMap(photosOfQuarantined) })
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
}
