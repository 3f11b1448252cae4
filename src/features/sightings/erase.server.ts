import type { Db } from '#db/client.ts'
import { eraseRefusals } from '#features/contact/refusals.server.ts'

/**
 * Deletes the sightings that the member sent, with their photos, and the refusals by and of the member. Sightings of their own dogs are
 * deleted with their cases. Call it inside a transaction.
 */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('sightings').where('member_id', '=', userId).execute()
  await eraseRefusals(trx, userId)
}
