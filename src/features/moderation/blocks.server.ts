import type { Db } from '#db/client.ts'
import { AppError, forbidden, invalid, notFound, unauthenticated } from '#lib/errors.ts'

/** Who asks; null without a session. */
type Requester = { id: string } | null

/** Members one may block: more than anybody meets, and few enough to be read at once. */
export const MAX_BLOCKS_PER_MEMBER = 500

/** Everyone the member blocked or was blocked by: the two do not meet. By primary key and blocks_blocked. */
export async function findBlockedIds(db: Db, userId: string | null): Promise<ReadonlySet<string>> {
  if (userId === null) return new Set()
  const rows = await db
    .selectFrom('blocks')
    .select('blocked_id as id')
    .where('user_id', '=', userId)
    .union(db.selectFrom('blocks').select('user_id as id').where('blocked_id', '=', userId))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Those of `others` whom nothing stands between and `userId`. */
export async function filterUnblocked(db: Db, userId: string, others: readonly string[]): Promise<string[]> {
  if (others.length === 0) return []
  const apart = await findBlockedIds(db, userId)
  return others.filter((id) => !apart.has(id))
}

/** Asked before a deed on a dog: its people and whoever acts may not have blocked each other. @throws AppError 403 */
export async function assertNotBlocked(db: Db, userId: string, people: readonly (string | null)[]): Promise<void> {
  const others = people.filter((id) => id !== null && id !== userId) as string[]
  if ((await filterUnblocked(db, userId, others)).length < others.length)
    throw forbidden('No puedes hacerlo: uno de los dos ha bloqueado al otro.')
}

/** The member does not want to meet another one; a second time changes nothing. @throws AppError 401, 404, 422 */
export async function addBlock(db: Db, user: Requester, blockedId: string, now = Date.now()): Promise<void> {
  if (!user) throw unauthenticated()
  if (user.id === blockedId) throw invalid('No puedes bloquearte.')
  const other = await db.selectFrom('users').select('id').where('id', '=', blockedId).executeTakeFirst()
  if (!other) throw notFound('Usuario no encontrado')
  const { count } = await db
    .selectFrom('blocks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  if (count >= MAX_BLOCKS_PER_MEMBER) throw new AppError(409, 'No puedes bloquear a más personas.')
  await db
    .insertInto('blocks')
    .values({ user_id: user.id, blocked_id: blockedId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Takes it back; what the other one did stays. @throws AppError 401 */
export async function removeBlock(db: Db, user: Requester, blockedId: string): Promise<void> {
  if (!user) throw unauthenticated()
  await db.deleteFrom('blocks').where('user_id', '=', user.id).where('blocked_id', '=', blockedId).execute()
}

export interface BlockedMember {
  id: string
  alias: string | null
  emoji: string | null
}

/** Whom the member blocked, the last first. */
export const listBlockedMembers = (db: Db, userId: string): Promise<BlockedMember[]> =>
  db
    .selectFrom('blocks as b')
    .leftJoin('profiles as p', 'p.id', 'b.blocked_id')
    .select(['b.blocked_id as id', 'p.alias', 'p.emoji'])
    .where('b.user_id', '=', userId)
    .orderBy('b.created_at', 'desc')
    .orderBy('b.blocked_id')
    .execute()

/** How the two stand: `mine` where the member blocked the other, `theirs` where only the other did, null where neither. */
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
