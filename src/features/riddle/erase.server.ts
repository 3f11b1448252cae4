import type { Trx } from '#db/client.ts'

/** Deletes what the member guessed. Call it inside a transaction. */
export async function eraseUser(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('riddle_guesses').where('user_id', '=', userId).execute()
}
