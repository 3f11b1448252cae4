import type { Db } from '#db/client.ts'
import { deleteNotices } from './notice.server.ts'

/** Deletes the member's notices, with all that belongs to them, and what they answered to others and reported. Call it inside a transaction. */
export async function eraseUser(trx: Db, userId: string): Promise<void> {
  const own = await trx.selectFrom('found_notices').select('id').where('member_id', '=', userId).execute()
  await deleteNotices(
    trx,
    own.map(({ id }) => id),
  )
  await trx.deleteFrom('found_reports').where('reporter_id', '=', userId).execute()
  await trx.deleteFrom('found_claims').where('user_id', '=', userId).execute()
}
