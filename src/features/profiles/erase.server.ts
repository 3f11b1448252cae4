import type { Db } from '#db/client.ts'

/** Takes the member's profile. After everything that its counts are kept from; inside a transaction. */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('profiles').where('id', '=', userId).execute()
}
