import type { Trx } from '#db/client.ts'
import { deleteSightingPhotos } from '#db/sighting-photos.ts'
import { eraseRefusals } from '#features/contact/refusals.server.ts'

/** Deletes photos that the member sent, or that were sent of their dogs, at most `limit`. @returns how many */
export const erasePhotos = (trx: Trx, userId: string, limit: number): Promise<number> =>
  deleteSightingPhotos(trx, { userId }, limit)

/**
 * Deletes the sightings that the member sent, with their photos, and the refusals by and of the member. Sightings of their own dogs are
 * deleted with their cases. Call it inside a transaction, after `erasePhotos`.
 */
export async function eraseUser(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('sightings').where('member_id', '=', userId).execute()
  await eraseRefusals(trx, userId)
}
