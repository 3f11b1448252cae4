import type { Trx } from '#db/client.ts'

/**
 * Deletes the conversations of either side's member with all that was said in them, and the copies of reported messages that the member
 * wrote; who reported a message is forgotten. Call it inside a transaction.
 */
export async function eraseUser(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom('contact_threads')
    .where((eb) => eb.or([eb('member_id', '=', userId), eb('finder_id', '=', userId)]))
    .execute()
  await trx.deleteFrom('reported_messages').where('writer_id', '=', userId).execute()
  await trx.updateTable('reported_messages').set({ reporter_id: null }).where('reporter_id', '=', userId).execute()
}
