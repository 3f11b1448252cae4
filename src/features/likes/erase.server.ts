import type { Db } from '#db/client.ts'

/** Takes back every like the member gave; triggers lower the dogs' counts. Call it inside a transaction. */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('dog_likes').where('user_id', '=', userId).execute()
}
