import { setImmediate as nextTurn } from 'node:timers/promises'
import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { deleteLostRowsOfDog } from '#features/lost/end-case.server.ts'
import { readQuarantined } from '#features/moderation/quarantine.server.ts'
import { deleteDogNotifications } from '#features/notifications/notifications.server.ts'
import { planRemoval } from '#features/photos/planned-moves.server.ts'
import {
  type DogsChoice,
  goesWith,
  HELD_ROLE_COLUMNS,
  isOnlyOf,
  ROLE_COLUMNS,
  takeRole,
  takeRolesOfQuarantined,
} from './member-roles.server.ts'
import { deleteQuarantinedRowsOfDog, parseQuarantinedDog, participantsOf } from './quarantine.server.ts'
import { deleteRequests } from './ownership/ownership.server.ts'
import { emptyDog } from './empty-dog.server.ts'
import { publishDogEvent } from './dog-events.server.ts'

/** Requests for dogs that are deleted in one batch. */
const REQUESTS_PER_BATCH = 25
/** Dogs whose roles change in one batch: each is published with five statements. */
const DOGS_PER_BATCH = 10

/**
 * Takes the member's name off every dog; with `delete`, the dogs that are theirs alone are deleted before, and their addresses
 * answer 410. A dog in which somebody else has a part stays with them. In batches: call it outside a transaction; a second call
 * continues where the first was interrupted.
 */
export async function eraseUser(db: Db, userId: string, choice: DogsChoice, signal?: AbortSignal): Promise<void> {
  if (choice === 'delete') await deleteDogsOf(db, userId, signal)
  for (const whose of [{ userId }, { discovererId: userId }])
    await runInBatches(db, REQUESTS_PER_BATCH, (trx, limit) => deleteRequests(trx, whose, limit), signal)
  for (const role of ROLE_COLUMNS)
    await runInBatches(
      db,
      DOGS_PER_BATCH,
      async (trx, limit) => (await takeRole(trx, userId, choice, role, limit)).length,
      signal,
    )
}

/** Whether a dog, public or quarantined, has the member in a role: a dog that was restored or hidden after its step of the erasure. */
export async function hasDogs(trx: Trx, userId: string): Promise<boolean> {
  const dog = trx
    .selectFrom('dogs')
    .select('id')
    .where((eb) => eb.or(ROLE_COLUMNS.map((role) => eb(role, '=', userId))))
    .limit(1)
  if (await dog.executeTakeFirst()) return true
  const item = trx
    .selectFrom('held')
    .select('thing_id')
    .where((eb) => eb.or(HELD_ROLE_COLUMNS.map((role) => eb(role, '=', userId))))
    .limit(1)
  return (await item.executeTakeFirst()) !== undefined
}

async function deleteDogsOf(db: Db, userId: string, signal?: AbortSignal): Promise<void> {
  for (const { id } of await db.selectFrom('dogs').select('id').where(isOnlyOf(userId)).execute()) {
    await emptyDog(db, id, signal)
    await transact(db, async (trx) => {
      // Since it was listed, somebody may have got a part in it.
      const dog = trx.selectFrom('dogs').select('id').where('id', '=', id).where(isOnlyOf(userId))
      if (!(await dog.executeTakeFirst())) return
      const images = await trx.selectFrom('dog_images').select('url').where('dog_id', '=', id).execute()
      await deleteDogNotifications(trx, id)
      await trx.deleteFrom('dogs').where('id', '=', id).execute()
      const held = await deleteQuarantinedRowsOfDog(trx, id)
      await deleteLostRowsOfDog(trx, id)
      await planRemoval(trx, { dogId: id, urls: [...images.map(({ url }) => url), ...held] })
      await publishDogEvent(trx, 'removed', id)
    })
    await nextTurn()
  }
}

/**
 * The same for quarantined dogs, one in each transaction. Their comments, likes and requests go with those of public dogs. Call it
 * outside a transaction.
 */
export async function eraseFromQuarantinedDogs(
  db: Db,
  userId: string,
  choice: DogsChoice,
  signal?: AbortSignal,
): Promise<void> {
  const rows = await db
    .selectFrom('held')
    .select(['thing_id', 'cause', 'owner_id', 'discoverer_id', 'uploader_id'])
    .where((eb) => eb.or(HELD_ROLE_COLUMNS.map((role) => eb(role, '=', userId))))
    .execute()
  for (const { thing_id: id, cause, ...roles } of rows) {
    signal?.throwIfAborted()
    if (goesWith(userId, choice, cause, Object.values(roles))) await emptyDog(db, id, signal)
    await transact(db, (trx) => eraseFromQuarantinedDog(trx, id, userId, choice))
    await nextTurn()
  }
}

async function eraseFromQuarantinedDog(trx: Trx, dogId: string, userId: string, choice: DogsChoice): Promise<void> {
  const item = await readQuarantined(trx, 'dog', dogId)
  // Restored or deleted since.
  if (!item) return
  const snapshot = parseQuarantinedDog(item)
  if (goesWith(userId, choice, item.cause, participantsOf(snapshot))) {
    await deleteLostRowsOfDog(trx, dogId)
    return planRemoval(trx, { dogId, urls: await deleteQuarantinedRowsOfDog(trx, dogId) })
  }
  await takeRolesOfQuarantined(trx, item, userId)
}
