import type { Trx } from '#db/client.ts'

/** Deletes the member's badges, challenges and place in the queue. Call it inside a transaction, after their dogs are gone. */
export async function eraseUser(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('badges').where('user_id', '=', userId).execute()
  await trx.deleteFrom('challenge_entries').where('user_id', '=', userId).execute()
  await trx.deleteFrom('badge_queue').where('user_id', '=', userId).execute()
}
