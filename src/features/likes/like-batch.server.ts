import { randomUUID } from 'node:crypto'
import { sql, type SqlBool } from 'kysely'
import type { Db } from '#db/client.ts'
import { jsonRows } from '#db/dialect/expressions.ts'
import { hasLocks } from '#db/dialect/locks.ts'
import { prepareQuery } from '#db/prepared.ts'
import { publishAll } from '#features/live/live.server.ts'
import { type AddedLike, notifyLikes } from '#features/notifications/notify-likes.server.ts'
import { readWritePermissions, type WritePermissions } from '#features/moderation/bans.server.ts'
import { blockedError, isBlockedBetween } from '#features/moderation/blocks.server.ts'
import { AppError } from '#lib/errors.ts'
import { dogNotFound, likeEvent } from './like-event.server.ts'
import type { LikeState } from './likes.ts'

/** A like that a member asks for. */
export interface LikeRequest {
  userId: string
  dogId: string
  /** ms */
  now: number
}

/** What a like is answered: `locked` where another transaction has its member or its dog. */
export type LikeAnswer = LikeState | AppError | 'locked'

interface LikeRow {
  id: string
  dog_id: string
  user_id: string
  created_at: number
}

const ROW_COLUMNS = { id: 'text', dog_id: 'text', user_id: 'text', created_at: 'integer' } as const

/**
 * Whether one of a dog's people likes it, as a column; by the unique index on dog and member. Of an EXISTS for several dogs PostgreSQL would
 * make a list of all likes.
 */
const isLikedBy = (person: 'owner_id' | 'discoverer_id') =>
  sql<0 | 1>`(SELECT count(*) FROM dog_likes WHERE dog_id = dogs.id AND user_id = ${sql.ref(`dogs.${person}`)})`

interface DogValues {
  /** JSON of LikeRow[] */
  likes: string
  isLocked?: true
  skipsLocked?: true
}

/** The dog of each like, and whether its member has a block with one of the dog's people. */
const selectDogs = prepareQuery((db, { likes, isLocked, skipsLocked }: DogValues) => {
  const dogs = db
    .selectFrom(jsonRows<LikeRow>(db, likes, ROW_COLUMNS).as('given'))
    .innerJoin('dogs', 'dogs.id', 'given.dog_id')
    .select(['given.id as likeId', 'dogs.id', 'dogs.votes', 'dogs.owner_id', 'dogs.discoverer_id'])
    .select([
      isBlockedBetween(sql.ref('given.user_id'), ['dogs.owner_id', 'dogs.discoverer_id']).as('isBlocked'),
      isLikedBy('owner_id').as('isLikedByOwner'),
      isLikedBy('discoverer_id').as('isLikedByDiscoverer'),
    ])
  if (isLocked === undefined) return dogs
  const locked = dogs.orderBy('dogs.id').forNoKeyUpdate('dogs')
  return skipsLocked === undefined ? locked : locked.skipLocked()
})

/** Inserts those likes that are new, in their order. @returns their ids */
const insertLikes = prepareQuery((db, { likes }: { likes: string }) =>
  db
    .insertInto('dog_likes')
    .columns(['id', 'dog_id', 'user_id', 'created_at'])
    .expression(
      db
        .selectFrom(jsonRows<LikeRow>(db, likes, ROW_COLUMNS).as('given'))
        .select(['given.id', 'given.dog_id', 'given.user_id', 'given.created_at'])
        // SQLite takes ON CONFLICT for a part of a join without it.
        .where(sql<SqlBool>`true`),
    )
    .onConflict((conflict) => conflict.columns(['dog_id', 'user_id']).doNothing())
    .returning('id'),
)

/**
 * Adds likes of several members in one transaction: rows, counts (by triggers), notifications and events. One that is refused changes
 * nothing of the others.
 * @param skipsLocked answers `locked` where it would wait for another transaction
 * @returns the answer of each, in their order
 */
export async function addLikes(
  trx: Db,
  asked: readonly LikeRequest[],
  { skipsLocked = false } = {},
): Promise<LikeAnswer[]> {
  const permissions = await readWritePermissions(
    trx,
    asked.map(({ userId }) => userId),
    { skipsLocked },
  )
  const likes = asked.map(({ userId, dogId, now }) => ({
    id: randomUUID(),
    dog_id: dogId,
    user_id: userId,
    created_at: now,
    refusal: refuse(permissions, userId, now),
  }))
  const dogs = await findDogs(
    trx,
    likes.filter(({ refusal }) => refusal === null),
    skipsLocked,
  )
  const permitted = likes.filter(({ id }) => dogs.get(id)?.isBlocked === false)
  const rows = permitted.length > 0 ? await insertLikes(trx, { likes: toJson(permitted) }) : []
  const inserted = new Set(rows.map(({ id }) => id))
  const added: (AddedLike & { id: string; likes: number })[] = []
  const answers = likes.map(({ id, user_id, created_at, refusal }): LikeAnswer => {
    if (refusal !== null) return refusal
    const found = dogs.get(id)
    if (!found) return skipsLocked && hasLocks(trx) ? 'locked' : dogNotFound()
    const { dog, isBlocked } = found
    if (isBlocked) return blockedError()
    if (inserted.has(id)) {
      // As the trigger counts: no other like of the dog comes in between.
      dog.votes++
      if (user_id === dog.owner_id) dog.isLikedByOwner = 1
      if (user_id === dog.discoverer_id) dog.isLikedByDiscoverer = 1
      added.push({ id, actorId: user_id, dog, now: created_at, likes: dog.votes })
    }
    return { liked: true, likes: dog.votes }
  })
  await notifyLikes(trx, added)
  await publishAll(
    trx,
    added.map(({ id, actorId, dog, now, likes }) =>
      likeEvent({ id, dog: { ...dog, votes: likes }, userId: actorId, liked: true, at: now }),
    ),
  )
  return answers
}

function refuse(permissions: WritePermissions, userId: string, now: number): AppError | 'locked' | null {
  if (!permissions.isKnown(userId)) return 'locked'
  try {
    permissions.assertMayWrite(userId, now)
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

const toJson = (likes: readonly LikeRow[]): string =>
  JSON.stringify(likes.map(({ id, dog_id, user_id, created_at }) => ({ id, dog_id, user_id, created_at })))

/** The dog of each like, by the like's id: one object for all likes of a dog. */
async function findDogs(trx: Db, likes: readonly LikeRow[], skipsLocked: boolean) {
  if (likes.length === 0) return new Map<string, never>()
  const locks = hasLocks(trx) && { isLocked: true as const, ...(skipsLocked && { skipsLocked }) }
  const rows = await selectDogs(trx, { likes: toJson(likes), ...locks })
  const dogs = new Map(
    rows.map(({ id, votes, owner_id, discoverer_id, isLikedByOwner, isLikedByDiscoverer }) => [
      id,
      { id, votes, owner_id, discoverer_id, isLikedByOwner, isLikedByDiscoverer },
    ]),
  )
  return new Map(
    rows.map(({ likeId, id, isBlocked }) => [likeId, { dog: dogs.get(id)!, isBlocked: Boolean(isBlocked) }]),
  )
}
