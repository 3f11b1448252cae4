import type { Db } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { deleteFollowsBetween } from '#features/follows/erase.server.ts'
import { addBlock, markBlockDone } from '#features/moderation/blocks.server.ts'
import { unauthenticated } from '#lib/errors.ts'
import { deleteMutualNotifications } from '#features/notifications/on-block.server.ts'

/**
 * Blocks another member, and deletes the follows between the two and the notifications that each has of the other.
 * @throws AppError 401, 404, 409, 422
 */
export async function blockMember(
  db: Db,
  user: { id: string } | null,
  otherId: string,
  now = Date.now(),
): Promise<void> {
  if (!user) throw unauthenticated()
  await transact(db, async (trx) => {
    await addBlock(trx, user, otherId, now)
    await deleteFollowsBetween(trx, user.id, otherId)
  })
  await finishBlock(db, user.id, otherId)
}

async function finishBlock(db: Db, userId: string, otherId: string): Promise<void> {
  await deleteMutualNotifications(db, userId, otherId)
  await markBlockDone(db, userId, otherId)
}

/** Finishes the blocks that a crash or a restart interrupted. Throws where `signal` stops it. */
export async function resumeBlocks(db: Db, signal?: AbortSignal): Promise<void> {
  const pending = await db
    .selectFrom('blocks')
    .select(['user_id', 'blocked_id'])
    .where('notifications_pending', '=', 1)
    .execute()
  for (const { user_id, blocked_id } of pending) {
    signal?.throwIfAborted()
    await finishBlock(db, user_id, blocked_id)
  }
}
