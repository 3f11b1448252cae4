import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Trx } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { publish } from '#features/live/live.server.ts'
import { notifyLike } from '#features/notifications/notify-like.server.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { blockedError, visibleTo } from '#features/moderation/visibility.server.ts'
import { notFound } from '#lib/errors.ts'
import type { LikeState } from './likes.ts'

export const dogNotFound = () => notFound('El perro que buscas no existe o ha sido eliminado.')

/** A like that a member asks for. */
export interface LikeRequest {
  userId: string
  dogId: string
  /** ms */
  now: number
}

/**
 * Whether one of a dog's people likes it, as a column; by the unique index on dog and member. Of an EXISTS for several dogs PostgreSQL would
 * make a list of all likes.
 */
const isLikedBy = (person: 'owner_id' | 'discoverer_id') =>
  sql<0 | 1>`(SELECT count(*) FROM dog_likes WHERE dog_id = dogs.id AND user_id = ${sql.ref(`dogs.${person}`)})`

/** The dog, by its primary key, and whether the member has a block with one of its people. */
const selectDog = prepareQuery((db, { userId, dogId }: { userId: string; dogId: string }) =>
  db
    .selectFrom('dogs')
    .select(['id', 'votes', 'owner_id', 'discoverer_id'])
    .select([
      visibleTo(userId, 'actions').of('dogs.owner_id', 'dogs.discoverer_id').as('mayLike'),
      isLikedBy('owner_id').as('isLikedByOwner'),
      isLikedBy('discoverer_id').as('isLikedByDiscoverer'),
    ])
    .where('id', '=', dogId),
)

/**
 * Adds a like in a transaction: row, count (by triggers), notifications and event. One that was given before changes nothing.
 * @throws AppError 401 without an account; 403 for a banned member, or one with a block with the dog's owner or discoverer; 404
 */
export async function addLike(trx: Trx, { userId, dogId, now }: LikeRequest): Promise<LikeState> {
  await assertNotBanned(trx, userId, now)
  const [row] = await selectDog(trx, { userId, dogId })
  if (!row) throw dogNotFound()
  const { mayLike, ...dog } = row
  if (!mayLike) throw blockedError()
  const id = randomUUID()
  const inserted = await trx
    .insertInto('dog_likes_all')
    .values({ id, dog_id: dogId, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.columns(['dog_id', 'user_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return { liked: true, likes: dog.votes }
  // As the trigger counts: no other like of the dog comes in between.
  dog.votes++
  if (userId === dog.owner_id) dog.isLikedByOwner = 1
  if (userId === dog.discoverer_id) dog.isLikedByDiscoverer = 1
  const events = await notifyLike(trx, { actorId: userId, dog, now })
  await publish(
    trx,
    [...events, { type: 'like', thingId: id, dogId, actorId: userId, liked: true, count: dog.votes }],
    now,
  )
  return { liked: true, likes: dog.votes }
}
