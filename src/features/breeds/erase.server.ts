import type { Db } from '#db/client.ts'

/** The breeds keep what the member changed as admin, without their name. Call it inside a transaction. */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await trx.updateTable('breed_overrides').set({ user_id: null }).where('user_id', '=', userId).execute()
}
