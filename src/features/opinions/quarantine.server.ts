import type { Selectable } from 'kysely'
import type { Trx } from '#db/client.ts'
import type { BreedOpinionsTable } from '#db/schema.ts'
import {
  quarantine,
  type QuarantineCause,
  readQuarantined,
  removeFromQuarantine,
  takeFromQuarantine,
} from '#features/moderation/quarantine.server.ts'
import { deleteTargetNotifications } from '#features/notifications/target-notifications.server.ts'
import { AppError, notFound } from '#lib/errors.ts'

export type OpinionRow = Selectable<BreedOpinionsTable>

const opinionNotFound = () => notFound('Esta opinión ya no existe.')

/** Moves an opinion to quarantine: nobody reads or counts it. Call it in the action's own transaction. @throws AppError 404 */
export async function quarantineOpinion(trx: Trx, id: string, cause: QuarantineCause, now = Date.now()): Promise<void> {
  const row = await trx.deleteFrom('breed_opinions').where('id', '=', id).returningAll().executeTakeFirst()
  if (!row) throw opinionNotFound()
  const { dog_id: dogId, user_id } = row
  await quarantine(trx, { kind: 'opinion', id, dogId, memberIds: [user_id], cause, snapshot: row }, now)
}

/** Publishes an opinion from quarantine. @throws AppError 404; 409 where nobody asks about its dog any more */
export async function restoreOpinion(trx: Trx, id: string): Promise<void> {
  const item = await readQuarantined(trx, 'opinion', id)
  if (!item) throw opinionNotFound()
  const row = JSON.parse(item.snapshot) as OpinionRow
  const request = trx.selectFrom('opinion_requests').select('dog_id').where('dog_id', '=', row.dog_id)
  if (!(await request.executeTakeFirst())) throw new AppError(409, 'Sobre su perro ya no se piden opiniones.')
  await takeFromQuarantine(trx, 'opinion', id)
  // Members who wait for their deletion get nothing back (`restoreTarget`).
  await trx
    .insertInto('breed_opinions')
    .values({ ...row, is_withdrawn: 0 })
    .execute()
}

/** Deletes an opinion for good, public or in quarantine, with what quotes it. Call it inside a transaction. */
export async function removeOpinion(trx: Trx, id: string): Promise<void> {
  if (!(await removeFromQuarantine(trx, 'opinion', id)))
    await trx.deleteFrom('breed_opinions').where('id', '=', id).execute()
  await deleteTargetNotifications(trx, [id])
}

/**
 * Deletes the quarantined opinions of a dog, or one member's.
 * @returns whether there were any
 */
export async function deleteQuarantinedOpinions(trx: Trx, dogId: string, userId?: string): Promise<boolean> {
  let rows = trx.selectFrom('held').select('thing_id').where('dog_id', '=', dogId).where('kind', '=', 'opinion')
  if (userId !== undefined) rows = rows.where('user_id', '=', userId)
  const held = await rows.execute()
  for (const { thing_id } of held) await removeOpinion(trx, thing_id)
  return held.length > 0
}
