import type { Db } from '#db/client.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { deleteMutualNotifications } from '#features/notifications/on-block.server.ts'

/** Blocks another member and deletes the notifications each has of the other. @throws AppError 401, 404, 409, 422 */
export async function blockMember(
  db: Db,
  user: { id: string } | null,
  otherId: string,
  now = Date.now(),
): Promise<void> {
  await db.transaction().execute((trx) => addBlock(trx, user, otherId, now))
  await deleteMutualNotifications(db, user!.id, otherId)
}
