import type { Db } from '#db/client.ts'

/** Takes what the member wrote and is out of sight; bans and blocks go with the account. Call it inside a transaction. */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('held').where('user_id', '=', userId).where('kind', 'in', ['comment', 'profile']).execute()
}
