import type { Db } from '#db/client.ts'

/** Deletes the member's profile. Call it after the rows that its counts come from are deleted, inside a transaction. */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('profiles').where('id', '=', userId).execute()
}
