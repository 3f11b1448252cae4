import type { Db } from '#db/client.ts'

/** Deletes the member's notices, with all that belongs to them, and what they answered to others. Call it inside a transaction. */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('found_notices').where('member_id', '=', userId).execute()
  await trx.deleteFrom('found_claims').where('user_id', '=', userId).execute()
}
