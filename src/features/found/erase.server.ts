import type { Trx } from '#db/client.ts'
import { deleteNotices } from './notice.server.ts'

/** Deletes the member's notices, at most `limit`, with all that belongs to them: each has a photo. Call it inside a transaction. @returns how many */
export async function eraseNotices(trx: Trx, userId: string, limit: number): Promise<number> {
  const own = trx.selectFrom('found_notices_all').select('id').where('member_id', '=', userId).limit(limit)
  return deleteNotices(trx, await own.execute())
}
