import type { Db } from '#db/client.ts'
import { block } from '#features/moderation/blocks.server.ts'
import { partBells } from '#features/notifications/part.server.ts'

/** The member does not want to meet another one, nor read of them in their bell. @throws AppError 401, 404, 409, 422 */
export async function part(db: Db, user: { id: string } | null, otherId: string, now = Date.now()): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await block(trx, user, otherId, now)
    await partBells(trx, user!.id, otherId)
  })
}
