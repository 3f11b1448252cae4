import type { Selectable } from 'kysely'
import type { HiddenCause } from '#db/content.ts'
import type { Trx } from '#db/client.ts'
import type { BreedOpinionsTable } from '#db/schema.ts'
import { discardCases, hide, listOfLeaving, REVIEWED, show } from '#features/moderation/content.server.ts'
import { deleteTargetNotifications } from '#features/notifications/target-notifications.server.ts'
import { AppError, notFound } from '#lib/errors.ts'

export type OpinionRow = Selectable<BreedOpinionsTable>

const opinionNotFound = () => notFound('Esta opinión ya no existe.')

/** Hides an opinion: nobody reads or counts it. Call it in the action's own transaction. @throws AppError 404 */
export async function hideOpinion(trx: Trx, id: string, cause: HiddenCause): Promise<void> {
  if (!(await hide(trx, 'opinion', id, cause))) throw opinionNotFound()
}

/** Shows an opinion that the review has hidden. @throws AppError 404; 409 where nobody asks about its dog any more */
export async function showOpinion(trx: Trx, id: string): Promise<void> {
  const shown = await show(trx, 'opinion', id, ...REVIEWED)
  if (!shown) throw opinionNotFound()
  const request = trx.selectFrom('opinion_requests').select('dog_id').where('dog_id', '=', shown.row.dog_id)
  if (!(await request.executeTakeFirst())) throw new AppError(409, 'Sobre su perro ya no se piden opiniones.')
}

/** Hides at most `limit` opinions of a member whose account waits for its deletion. Call it inside a transaction. @returns how many */
export async function hideOpinionsOf(trx: Trx, userId: string, limit: number): Promise<number> {
  const ids = await listOfLeaving(trx, 'opinion', userId, false, limit)
  for (const id of ids) await hide(trx, 'opinion', id, 'deletion')
  return ids.length
}

/** The same back into sight. */
export async function showOpinionsOf(trx: Trx, userId: string, limit: number): Promise<number> {
  const ids = await listOfLeaving(trx, 'opinion', userId, true, limit)
  for (const id of ids) await show(trx, 'opinion', id, 'deletion')
  return ids.length
}

/** Deletes opinions for good, also hidden ones, with what quotes them and their cases. Call it inside a transaction. @returns how many */
export async function removeOpinions(trx: Trx, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  await trx.deleteFrom('breed_opinions_all').where('id', 'in', ids).execute()
  await deleteTargetNotifications(trx, ids)
  await discardCases(trx, 'opinion', ids)
  return ids.length
}
