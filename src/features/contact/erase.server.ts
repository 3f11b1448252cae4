import type { Db } from '#db/client.ts'

/** Deletes the conversations of either side's member with all that was said in them. Call it inside a transaction. */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  await trx
    .deleteFrom('contact_threads')
    .where((eb) => eb.or([eb('member_id', '=', userId), eb('finder_id', '=', userId)]))
    .execute()
}
