import type { Trx } from '#db/client.ts'

/** Deletes the member's home zone with its alerts. Call it inside a transaction. */
export async function eraseUser(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('home_zones').where('user_id', '=', userId).execute()
}
