import type { Db } from '#db/client.ts'

/** Takes away what the member wrote; triggers lower the dogs' counts. Call it inside a transaction. */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('comments').where('user_id', '=', userId).execute()
}
