import { setImmediate as nextTurn } from 'node:timers/promises'
import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { type DogsChoice, goesWith, ROLE_COLUMNS, takeRole } from './member-roles.server.ts'
import { deleteRequests } from './ownership/ownership.server.ts'
import { deleteDogRows, emptyDog } from './empty-dog.server.ts'

/** Requests for dogs that are deleted in one batch. */
const REQUESTS_PER_BATCH = 25
/** Dogs whose roles change in one batch: each is published with five statements. */
const DOGS_PER_BATCH = 10

/**
 * Takes the member's name off every dog, after those that go with them are deleted (`goesWith`), whose addresses
 * answer 410. A dog in which somebody else has a part stays with them. In batches: call it outside a transaction; a second call
 * continues where the first was interrupted.
 */
export async function eraseUser(db: Db, userId: string, choice: DogsChoice, signal?: AbortSignal): Promise<void> {
  await deleteDogsOf(db, userId, choice, signal)
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

/** Whether a dog, shown or hidden, has the member in a role: one that somebody gave them after their step of the erasure. */
export async function hasDogs(trx: Trx, userId: string): Promise<boolean> {
  const dog = trx
    .selectFrom('dogs_all')
    .select('id')
    .where((eb) => eb.or(ROLE_COLUMNS.map((role) => eb(role, '=', userId))))
    .limit(1)
  return (await dog.executeTakeFirst()) !== undefined
}

async function deleteDogsOf(db: Db, userId: string, choice: DogsChoice, signal?: AbortSignal): Promise<void> {
  const dogs = (from: Db) => from.selectFrom('dogs_all').select('id').where(goesWith(userId, choice))
  for (const { id } of await dogs(db).execute()) {
    await emptyDog(db, id, signal)
    await transact(db, async (trx) => {
      // Since it was listed, somebody may have got a part in it.
      if (await dogs(trx).where('id', '=', id).executeTakeFirst()) await deleteDogRows(trx, id)
    })
    await nextTurn()
  }
}
