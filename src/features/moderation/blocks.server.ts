import type { Db, Trx } from '#db/client.ts'
import { countRows } from '#db/count-rows.ts'
import { transact } from '#db/transact.ts'
import { refreshStreamBlocks } from '#features/live/live.server.ts'
import { AppError, invalid, notFound, unauthenticated } from '#lib/errors.ts'
import type { BlockedMember } from './moderation.ts'
import { visibleTo } from './visibility.server.ts'
import type { Requester } from '#lib/auth/current-user.ts'

/** Few enough to be read in one query, and more than anyone needs. */
export const MAX_BLOCKS_PER_MEMBER = 500

/**
 * Blocks another member; a second block changes nothing. The notifications of both about each other are still to be deleted
 * (`blocks.notifications_pending`).
 * @throws AppError 401; 404; 409 past the maximum; 422 for oneself
 */
export async function addBlock(trx: Trx, user: Requester, blockedId: string, now = Date.now()): Promise<void> {
  if (!user) throw unauthenticated()
  if (user.id === blockedId) throw invalid('No puedes bloquearte.')
  // One that waits for its deletion is gone for everybody.
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', blockedId)
    .where(visibleTo(null, 'presence').of('users.id'))
    .executeTakeFirst()
  if (!other) throw notFound('Usuario no encontrado')
  const count = await countRows(trx.selectFrom('blocks').where('user_id', '=', user.id))
  if (count >= MAX_BLOCKS_PER_MEMBER) throw new AppError(409, 'No puedes bloquear a más personas.')
  await trx
    .insertInto('blocks')
    .values({ user_id: user.id, blocked_id: blockedId, created_at: now, notifications_pending: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  refreshStreamBlocks(trx, [user.id, blockedId])
}

/** Marks the notifications of both members about each other as deleted. */
export async function markBlockDone(db: Db, userId: string, blockedId: string): Promise<void> {
  await transact(db, (trx) =>
    trx
      .updateTable('blocks')
      .set({ notifications_pending: 0 })
      .where('user_id', '=', userId)
      .where('blocked_id', '=', blockedId)
      .execute(),
  )
}

/** Removes the member's block. A block by the other member stays. @throws AppError 401 */
export async function removeBlock(db: Db, user: Requester, blockedId: string): Promise<void> {
  if (!user) throw unauthenticated()
  await transact(db, (trx) =>
    trx.deleteFrom('blocks').where('user_id', '=', user.id).where('blocked_id', '=', blockedId).execute(),
  )
}

/** Whom the member blocked, latest first. */
export const listBlockedMembers = (db: Db, userId: string): Promise<BlockedMember[]> =>
  db
    .selectFrom('blocks as b')
    .leftJoin('profiles as p', 'p.id', 'b.blocked_id')
    .select(['b.blocked_id as id', 'p.alias', 'p.emoji'])
    .where('b.user_id', '=', userId)
    // Whose account waits for its deletion is nowhere; the block is there again if they come back.
    .where(visibleTo(null, 'presence').of('b.blocked_id'))
    .orderBy('b.created_at', 'desc')
    .orderBy('b.blocked_id')
    .execute()

/** `mine` where the member blocked the other, `theirs` where only the other did, null where neither. */
export async function findBlockBetween(db: Db, userId: string, otherId: string): Promise<'mine' | 'theirs' | null> {
  const rows = await db
    .selectFrom('blocks')
    .select('user_id')
    .where('user_id', 'in', [userId, otherId])
    .where('blocked_id', 'in', [userId, otherId])
    .execute()
  if (rows.some((row) => row.user_id === userId)) return 'mine'
  return rows.length > 0 ? 'theirs' : null
}
