import { sql, type SqlBool } from 'kysely'
import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import { inJsonTexts, jsonText, mergedJson } from '#db/dialect/expressions.ts'
import { prepareWrite } from '#db/prepared.ts'
import type { DogEvent } from './live.ts'

// `GET /api/events` replays the table after any id. What is erased, hidden or edited must therefore leave the table in the
// same transaction, so that the stream shows nothing that the site does not. What is about a hidden dog stays, and is not read
// (`eventsAfter`). Every look-up is by index.

/** Deletes the events of one comment, like or notification. */
export const deleteEventsOf = async (trx: Trx, type: 'comment' | 'like' | 'notification', id: string): Promise<void> =>
  void (await deleteEvents(trx, { type, ids: JSON.stringify([id]) }))

/** Deletes the events of several things. `ids` is JSON. */
export const deleteEvents = prepareWrite(
  (trx, { type, ids }: { type: 'comment' | 'like' | 'notification'; ids: string }) =>
    trx
      .deleteFrom('events')
      .where(inJsonTexts(trx, 'thing_id', ids))
      .where('type', '=', type),
)

/**
 * Deletes a dog's events: its own, its comments', likes' and notifications'. At most `limit` events, all by default.
 * @returns the number of deleted events
 */
export async function deleteDogEvents(trx: Trx, dogId: string, limit?: number): Promise<number> {
  const ids = trx.selectFrom('events').select('id').where('dog_id', '=', dogId)
  const { numDeletedRows } = await trx
    .deleteFrom('events')
    .where('id', 'in', limit === undefined ? ids : ids.limit(limit))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** The event that a dog is gone: it outlives the dog. */
export const isRemoval = (db: Db) => sql<SqlBool>`(type = 'dog' AND ${jsonText(db, 'data', 'action')} = 'removed')`

/** Events deleted in one transaction. */
const EVENTS_PER_BATCH = 25

/**
 * Deletes the events of a member's comments, so that a page that reconnects does not receive them; in batches: call it outside
 * a transaction.
 */
export const deleteAuthorEvents = (db: Db, userId: string): Promise<number> =>
  runInBatches(db, EVENTS_PER_BATCH, async (trx, limit) => {
    const { numDeletedRows } = await trx
      .deleteFrom('events')
      .where('id', 'in', (eb) => eb.selectFrom('events').select('id').where('author_id', '=', userId).limit(limit))
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  })

/**
 * Rewrites a dog's events with its current data, so that a replay shows no old names or photos. Earlier `changed` events are
 * deleted: the one that the caller publishes next says it all, and the cost of a change must not grow with their number.
 */
export async function updateDogEvents(trx: Trx, dog: Omit<DogEvent, 'action'>): Promise<void> {
  const { id, name, breed, path, photo_url, owner_id, discoverer_id } = dog
  const action = jsonText(trx, 'data', 'action')
  const ofDog = 'dog' as const
  await trx
    .deleteFrom('events')
    .where('dog_id', '=', id)
    .where('type', '=', ofDog)
    .where(action, '=', 'changed')
    .execute()
  await trx
    .updateTable('events')
    .set({ data: mergedJson(trx, 'data', { name, breed, path, photo_url, owner_id, discoverer_id }) })
    .where('dog_id', '=', id)
    .where('type', '=', ofDog)
    .where(action, '!=', 'removed')
    .execute()
}
