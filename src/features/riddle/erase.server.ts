import type { Db } from '#db/client.ts'

/** Deletes what the member guessed. Call it inside a transaction. */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('riddle_guesses').where('user_id', '=', userId).execute()
}
