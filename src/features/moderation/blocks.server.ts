import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { transact } from '#db/transact.ts'
import { refreshStreamBlocks } from '#features/live/live.server.ts'
import { AppError, forbidden, invalid, notFound, unauthenticated } from '#lib/errors.ts'
import type { BlockedMember } from './moderation.ts'
import type { Requester } from '#lib/auth/current-user.ts'

/** Few enough to be read in one query, and more than anyone needs. */
export const MAX_BLOCKS_PER_MEMBER = 500

/** By primary key and index blocks_blocked. */
const selectBlocked = prepareQuery((db, { userId }: { userId: string }) =>
  db
    .selectFrom('blocks')
    .select('blocked_id as id')
    .where('user_id', '=', userId)
    .union(db.selectFrom('blocks').select('user_id as id').where('blocked_id', '=', userId)),
)

/** Ids of everyone the member blocked or was blocked by. */
export async function findBlockedIds(db: Db, userId: string | null): Promise<ReadonlySet<string>> {
  return new Set(userId === null ? [] : (await selectBlocked(db, { userId })).map(({ id }) => id))
}

/** Those of `others` with no block between them and `userId`, in either direction. */
export async function filterUnblocked(db: Db, userId: string, others: readonly string[]): Promise<string[]> {
  if (others.length === 0) return []
  const blockedIds = await findBlockedIds(db, userId)
  return others.filter((id) => !blockedIds.has(id))
}

/** Call it before an action on a dog: no block may exist between `userId` and the dog's people. @throws AppError 403 */
export async function assertNotBlocked(db: Db, userId: string, people: readonly (string | null)[]): Promise<void> {
  const others = people.filter((id) => id !== null).filter((id) => id !== userId)
  if ((await filterUnblocked(db, userId, others)).length < others.length) throw blockedError()
}

export const blockedError = (): AppError => forbidden('No puedes hacerlo: uno de los dos ha bloqueado al otro.')

/**
 * Whether a block exists between the member and one of the people in `columns`, as a column of another query: by primary key and index
 * blocks_blocked.
 */
export function isBlockedBetween(
  userId: string | RawBuilder<unknown>,
  columns: readonly string[],
): RawBuilder<SqlBool> {
  const people = sql.join(columns.map((column) => sql.ref(column)))
  return sql<SqlBool>`(EXISTS (SELECT 1 FROM blocks WHERE user_id = ${userId} AND blocked_id IN (${people}))
    OR EXISTS (SELECT 1 FROM blocks WHERE blocked_id = ${userId} AND user_id IN (${people})))`
}

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
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('account_deletions').select('user_id').where('user_id', '=', blockedId))),
    )
    .executeTakeFirst()
  if (!other) throw notFound('Usuario no encontrado')
  const { count } = await trx
    .selectFrom('blocks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
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
    .where('b.blocked_id', 'not in', db.selectFrom('account_deletions').select('user_id'))
    .orderBy('b.created_at', 'desc')
    .orderBy('b.blocked_id')
    .execute()

/** `mine` where the member blocked the other, `theirs` where only the other did, null where neither. */
export async function findBlockBetween(db: Db, userId: string, otherId: string): Promise<'mine' | 'theirs' | null> {
  const rows = await db
    .selectFrom('blocks')
    .select('user_id')
    .where((eb) =>
      eb.or([
        eb.and([eb('user_id', '=', userId), eb('blocked_id', '=', otherId)]),
        eb.and([eb('user_id', '=', otherId), eb('blocked_id', '=', userId)]),
      ]),
    )
    .execute()
  if (rows.some((row) => row.user_id === userId)) return 'mine'
  return rows.length > 0 ? 'theirs' : null
}
