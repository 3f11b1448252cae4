import type { Selectable } from 'kysely'
import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import type { LostCasesTable } from '#db/schema.ts'
import { deleteSightingPhotos, PHOTOS_PER_BATCH } from '#db/sighting-photos.ts'
import { transact } from '#db/transact.ts'
import { deleteNotifications } from '#features/notifications/notify.server.ts'
import type { Requester } from '#lib/auth/current-user.ts'
import { forbidden, notFound, unauthenticated } from '#lib/errors.ts'
import { selectCase } from './cases.server.ts'
import { queueHomecoming } from './homecoming.server.ts'
import { LOST_TEXTS, type LostEnding } from './lost.ts'

type CaseRow = Pick<Selectable<LostCasesTable>, 'id' | 'dog_id' | 'owner_id' | 'since' | 'zone' | 'help'>

/**
 * Deletes a case: the exact point, and all that refers to it (sightings, conversations), go with its row. The history stays for HISTORY_DAYS.
 * Call it inside a transaction, after `deleteSightingPhotos`.
 * @param kind `unanswered`: what its owner wrote stays in the history, for the form to reopen it
 */
export async function deleteCase(
  trx: Trx,
  { id, dog_id, owner_id, since, zone, help }: CaseRow,
  kind: LostEnding | 'unanswered',
  now: number,
): Promise<void> {
  await trx.deleteFrom('lost_cases').where('id', '=', id).execute()
  await deleteNotifications(trx, 'still-lost', { userId: owner_id, dogId: dog_id })
  const prefill = kind === 'unanswered' ? { is_unanswered: 1 as const, since, zone, help } : {}
  await trx
    .updateTable('lost_history')
    .set({ ended_at: now, ...prefill })
    .where('dog_id', '=', dog_id)
    .execute()
}

/** Whether the member looks for the dog, also while it is hidden. */
export const isSearching = async (db: Db, userId: string, dogId: string): Promise<boolean> =>
  (await selectCase(db, dogId))?.owner_id === userId

/** Whether a lost case of the dog is in the member's history (`lost_history`, HISTORY_DAYS). */
export const hasPastCase = async (db: Db, userId: string, dogId: string): Promise<boolean> =>
  (await db
    .selectFrom('lost_history')
    .select('dog_id')
    .where('dog_id', '=', dogId)
    .where('owner_id', '=', userId)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', 0)]))
    .executeTakeFirst()) !== undefined

/**
 * The member's case of a dog that is theirs, or hidden.
 * @throws AppError 404; 403
 */
async function getEndingCase(trx: Trx, userId: string, dogId: string): Promise<CaseRow> {
  const row = await selectCase(trx, dogId)
  const dog = await trx.selectFrom('dogs').select('owner_id').where('id', '=', dogId).executeTakeFirst()
  if (dog && dog.owner_id !== userId) throw forbidden(LOST_TEXTS.owner)
  if (row?.owner_id !== userId) throw notFound(dog ? LOST_TEXTS.notLost : LOST_TEXTS.noDog)
  return row
}

/**
 * Ends the search, which a banned owner may do as well, and that of a hidden dog. «¡En casa!» notifies the members who reported sightings, but
 * not of a hidden dog, and with `thanks` the dog's page thanks those who helped.
 * @throws AppError 401; 404 for a dog that does not exist, is hidden to the member, or is not lost; 403 for others than its owner
 */
export async function endLostCase(
  db: Db,
  user: Requester,
  dogId: string,
  ending: LostEnding,
  { thanks = false, now = Date.now() }: { thanks?: boolean; now?: number } = {},
): Promise<void> {
  if (!user) throw unauthenticated()
  // The photos first: where this is interrupted, the case is still open, and its end deletes the others.
  await runInBatches(db, PHOTOS_PER_BATCH, async (trx, limit) => {
    await getEndingCase(trx, user.id, dogId)
    return deleteSightingPhotos(trx, { dogId }, limit)
  })
  await transact(db, async (trx) => {
    const row = await getEndingCase(trx, user.id, dogId)
    if (ending === 'home') await queueHomecoming(trx, { dogId, ownerId: user.id, thanks }, now)
    await deleteCase(trx, row, ending, now)
    if (ending !== 'home' || !thanks) return
    await trx.updateTable('lost_history').set({ thanked_at: now }).where('dog_id', '=', dogId).execute()
  })
}

/** Deletes the case and the history of a dog that is deleted for good. Call it inside the transaction that deletes the dog. */
export async function deleteLostRowsOfDog(trx: Trx, dogId: string): Promise<void> {
  await trx.deleteFrom('lost_cases').where('dog_id', '=', dogId).execute()
  await trx.deleteFrom('lost_history').where('dog_id', '=', dogId).execute()
}
