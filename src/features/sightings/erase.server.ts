import type { Db } from '#db/client.ts'
import { eraseRefusals } from '#features/contact/refusals.server.ts'

/**
 * Deletes the member's sightings with their photos, their refusals, and those of what they sent. What others sent them goes with their
 * cases. Call it inside a transaction.
 */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('sightings').where('member_id', '=', userId).execute()
  await eraseRefusals(trx, userId)
}
