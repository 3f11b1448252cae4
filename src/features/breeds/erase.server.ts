import type { Trx } from '#db/client.ts'

/** Removes the member from the history of breed edits; the edits stay. Call it inside a transaction. */
export async function eraseUser(trx: Trx, userId: string): Promise<void> {
  await trx.updateTable('breed_overrides').set({ user_id: null }).where('user_id', '=', userId).execute()
}
