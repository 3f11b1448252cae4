import type { Db } from '#db/client.ts'

/**
 * Deletes the conversations of either side's member with all that was said in them, and what is kept of messages that the member wrote;
 * who reported a message is forgotten. Call it inside a transaction.
 */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await trx
    .deleteFrom('contact_threads')
    .where((eb) => eb.or([eb('member_id', '=', userId), eb('finder_id', '=', userId)]))
    .execute()
  await trx.deleteFrom('contact_evidence').where('author_id', '=', userId).execute()
  await trx.updateTable('contact_evidence').set({ reporter_id: null }).where('reporter_id', '=', userId).execute()
}
