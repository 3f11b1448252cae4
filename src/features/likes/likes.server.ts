import type { Selectable } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import { hasCause, onlyCause, withCause, withoutCauses } from '#db/content.ts'
import { prepareQuery } from '#db/prepared.ts'
import { transact } from '#db/transact.ts'
import type { DogLikesTable } from '#db/schema.ts'
import { publish } from '#features/live/live.server.ts'
import { updateOnUnlike } from '#features/notifications/like-notifications.server.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { FALLBACK_ALIAS, FALLBACK_EMOJI } from '#lib/text/names.ts'
import { decodeCursor, type DogPage, encodeCursor } from '#lib/cursor.ts'
import { addLike, dogNotFound } from './add-like.server.ts'
import { type Liker, LIKERS_PAGE_SIZE, type LikerPage, type LikeState, LIKED_MAX } from './likes.ts'
import type { Requester } from '#lib/auth/current-user.ts'

/**
 * Adds the member's like of a dog; a second one changes nothing. Row, count (by triggers), notifications and event belong
 * to one transaction, so that no other like comes in between.
 * @throws AppError 403 for a banned member, or one with a block with the dog's owner or discoverer; 404
 */
export const like = (db: Db, user: { id: string }, dogId: string, now = Date.now()): Promise<LikeState> =>
  transact(db, (trx) => addLike(trx, { userId: user.id, dogId, now }))

/**
 * Removes the member's like of a dog, also of a hidden one: it would come back with the dog. Nothing changes where there is none.
 * @throws AppError 404, also for a hidden dog that the member did not like
 */
export const unlike = (db: Db, user: { id: string }, dogId: string, now = Date.now()): Promise<LikeState> =>
  transact(db, (trx) => removeLike(trx, user.id, dogId, { now }))

/**
 * `unlike` as part of a longer transaction. Everybody receives the new count without the member: a like taken back is listed
 * nowhere, so no stream may say whose it was.
 * @param isErased the member's account is being deleted: no event of their own is published
 */
export async function removeLike(
  trx: Trx,
  userId: string,
  dogId: string,
  { isErased = false, now = Date.now() }: { isErased?: boolean; now?: number } = {},
): Promise<LikeState> {
  const [before] = await selectAnyDog(trx, { dogId })
  if (!before) throw dogNotFound()
  const all = trx.selectFrom('dog_likes_all').selectAll().where('dog_id', '=', dogId).where('user_id', '=', userId)
  const row = await all.executeTakeFirst()
  if (!row && before.hidden !== 0) throw dogNotFound()
  if (!row) return { liked: false, likes: before.votes }
  await trx.deleteFrom('dog_likes_all').where('id', '=', row.id).execute()
  const likes = isOfLeaving(row) ? before.votes : await publishRemoved(trx, row, before, { isErased, now })
  return { liked: false, likes: before.hidden === 0 ? likes : 0 }
}

/** Whether who gave it leaves: for everybody else it is gone. */
const isOfLeaving = ({ hidden }: LikeRow) => (hidden & onlyCause('deletion')) !== 0

/** @returns the likes that its dog has without it */
async function publishRemoved(
  trx: Trx,
  { id, user_id: userId, created_at: likedAt }: LikeRow,
  before: AnyDog,
  { isErased = false, now = Date.now() } = {},
): Promise<number> {
  const dog = { ...before, votes: before.votes - 1 }
  await updateOnUnlike(trx, { actorId: userId, likedAt }, dog, now)
  const event = { type: 'like', thingId: id, dogId: dog.id, liked: false, count: dog.votes } as const
  await publish(trx, event, now)
  // The member's other tabs and devices.
  if (!isErased) await publish(trx, { ...event, userId }, now)
  return dog.votes
}

const selectOfLeaving = (trx: Trx, userId: string, isHidden: boolean, limit: number) =>
  trx
    .selectFrom('dog_likes_all')
    .selectAll()
    .where('user_id', '=', userId)
    .where((eb) => (isHidden ? hasCause('deletion') : eb.not(hasCause('deletion'))))
    .limit(limit)

/** Hides at most `limit` likes of a member whose account waits for its deletion. Call it inside a transaction. @returns how many */
export async function hideLikesOf(trx: Trx, userId: string, limit: number): Promise<number> {
  const rows = await selectOfLeaving(trx, userId, false, limit).execute()
  for (const row of rows) {
    const [dog] = await selectAnyDog(trx, { dogId: row.dog_id })
    await trx
      .updateTable('dog_likes_all')
      .set({ hidden: withCause('deletion') })
      .where('id', '=', row.id)
      .execute()
    await publishRemoved(trx, row, dog!, { isErased: true })
  }
  return rows.length
}

/** The same back into sight; nobody is notified again. */
export async function showLikesOf(trx: Trx, userId: string, limit: number): Promise<number> {
  const rows = await selectOfLeaving(trx, userId, true, limit).execute()
  for (const { id, dog_id } of rows) {
    await trx
      .updateTable('dog_likes_all')
      .set({ hidden: withoutCauses('deletion') })
      .where('id', '=', id)
      .execute()
    // As where a like goes: open pages get the count, and list nobody who liked long ago as new.
    await publish(trx, { type: 'like', thingId: id, dogId: dog_id, liked: false })
  }
  return rows.length
}

const selectDog = prepareQuery((db, { dogId }: { dogId: string }) =>
  db.selectFrom('dogs').select('id').where('id', '=', dogId),
)

/** Shown or hidden. */
const selectAnyDog = prepareQuery((db, { dogId }: { dogId: string }) =>
  db.selectFrom('dogs_all').select(['id', 'votes', 'owner_id', 'discoverer_id', 'hidden']).where('id', '=', dogId),
)

type LikeRow = Selectable<DogLikesTable>
type AnyDog = Awaited<ReturnType<typeof selectAnyDog>>[number]

/** Likers with the columns of a cursor, newest first, by index `dog_likes_dog`. */
const selectLikers = prepareQuery((db, { dogId, viewerId, limit, at, id }: DogPage) =>
  db
    .selectFrom('dog_likes as l')
    .leftJoin('profiles as p', 'p.id', 'l.user_id')
    .select(['l.id as like_id', 'l.created_at as at', 'l.user_id as id', 'p.alias', 'p.emoji'])
    .where('l.dog_id', '=', dogId)
    .where(visibleTo(viewerId, 'likes').of('l.user_id'))
    .$if(id !== undefined, (after) =>
      after.where((eb) => eb(eb.refTuple('l.created_at', 'l.id'), '<', eb.tuple(at!, id!))),
    )
    .orderBy('l.created_at', 'desc')
    .orderBy('l.id', 'desc')
    .limit(limit),
)

type LikerRow = Awaited<ReturnType<typeof selectLikers>>[number]

const toLiker = ({ id, alias, emoji }: LikerRow): Liker => ({
  id,
  alias: alias ?? FALLBACK_ALIAS,
  emoji: emoji ?? FALLBACK_EMOJI,
})

/** The newest likers of a dog whom `user` may see: members with a block between them are not listed. */
export async function newestLikers(db: Db, dogId: string, limit: number, user: Requester = null): Promise<Liker[]> {
  return (await selectLikers(db, { dogId, viewerId: user?.id, limit })).map(toLiker)
}

interface LikersQuery {
  cursor?: string | undefined
  limit?: number | undefined
  user?: Requester
}

/** A page of a dog's likers, newest first. @throws AppError 404; 422 for a bad cursor */
export async function listLikers(
  db: Db,
  dogId: string,
  { cursor, limit = LIKERS_PAGE_SIZE, user = null }: LikersQuery = {},
): Promise<LikerPage> {
  const at = cursor === undefined ? undefined : decodeCursor(cursor, 'likers')
  if ((await selectDog(db, { dogId })).length === 0) throw dogNotFound()
  const after = { at: at?.value, id: at?.id }
  const rows = await selectLikers(db, { dogId, viewerId: user?.id, limit: limit + 1, ...after })
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    likers: rows.slice(0, limit).map(toLiker),
    nextCursor: last ? encodeCursor({ order: 'likers', value: last.at, id: last.like_id }) : null,
  }
}

const selectLiked = prepareQuery((db, { userId, ids }: { userId: string; ids: readonly string[] }) =>
  db.selectFrom('dog_likes').select('dog_id').where('user_id', '=', userId).where('dog_id', 'in', ids),
)

/** Those of `ids` that the member likes, by the unique index on dog and member; none for a visitor. */
export async function filterLikedIds(db: Db, userId: string | null, ids: readonly string[]): Promise<Set<string>> {
  if (userId === null || ids.length === 0) return new Set()
  const rows = await selectLiked(db, { userId, ids })
  return new Set(rows.map((row) => row.dog_id))
}

/** The like state of these dogs for the member, by id; deleted dogs are left out. */
export async function readLikeStates(
  db: Db,
  userId: string,
  ids: readonly string[],
): Promise<Record<string, LikeState>> {
  const liked = await filterLikedIds(db, userId, ids)
  const rows = await db.selectFrom('dogs').select(['id', 'votes']).where('id', 'in', ids).execute()
  return Object.fromEntries(rows.map(({ id, votes }) => [id, { liked: liked.has(id), likes: votes }]))
}

/** The dogs that the member liked last, for the hearts of pages that are the same for everyone; by index `dog_likes_user`. */
export async function listLikedIds(db: Db, userId: string, limit = LIKED_MAX): Promise<string[]> {
  const rows = await db
    .selectFrom('dog_likes')
    .select('dog_id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.dog_id)
}
