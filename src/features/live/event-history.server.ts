import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import type { DogEvent } from './live.ts'

// `GET /api/events` replays the table to whoever names a number. What is erased, hidden or edited must therefore leave it
// in the same transaction: nobody reads later what can be read nowhere else. Every look-up is by index.

/** Forgets what was told of one comment, like or line of a bell. */
export const deleteEventsOf = (trx: Db, type: 'comment' | 'like' | 'notification', id: string) =>
  trx.deleteFrom('events').where('thing_id', '=', id).where('type', '=', type).execute()

/**
 * Forgets what was told of a dog: itself, its comments and likes, and the lines of bells about it; at most `limit` events, all by
 * default. Returns how many there were.
 */
export async function deleteDogEvents(trx: Db, dogId: string, limit = -1): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('events')
    .where('id', 'in', (eb) => eb.selectFrom('events').select('id').where('dog_id', '=', dogId).limit(limit))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Forgets the comments of a member that were told. */
export const deleteAuthorEvents = (trx: Db, userId: string) =>
  trx.deleteFrom('events').where('author_id', '=', userId).execute()

/**
 * Has whatever was told of a dog say what it is now: who comes back hears that it came, in today's words. That it changed
 * before is forgotten: the change that is about to be told says it all, and the next must not cost more than this one.
 * @param isMoved whether its address is another one now
 */
export async function updateDogEvents(trx: Db, dog: Omit<DogEvent, 'action'>, isMoved: boolean): Promise<void> {
  const { id, name, breed, path, photo_url, owner_id, discoverer_id } = dog
  const action = sql<string>`json_extract(data, '$.action')`
  const ofDog = 'dog' as const
  await trx
    .deleteFrom('events')
    .where('dog_id', '=', id)
    .where('type', '=', ofDog)
    .where(action, '=', 'changed')
    .execute()
  const now = JSON.stringify({ name, breed, path, photo_url, owner_id, discoverer_id })
  await trx
    .updateTable('events')
    .set({ data: sql<string>`json_patch(data, ${now})` })
    .where('dog_id', '=', id)
    .where('type', '=', ofDog)
    .where(action, '!=', 'removed')
    .execute()
  if (!isMoved) return
  await trx
    .updateTable('events')
    .set({ data: sql<string>`json_set(data, '$.notification.path', ${path ?? null})` })
    .where('dog_id', '=', id)
    .where('type', '=', 'notification')
    .where(sql<boolean>`json_type(data, '$.notification.path') = 'text'`)
    .execute()
}

/** Has the comments of a member that were told carry the name the member goes by now. */
export async function updateAuthorEvents(
  trx: Db,
  userId: string,
  profile: { alias: string; emoji: string },
): Promise<void> {
  const { alias, emoji } = profile
  await trx
    .updateTable('events')
    .set({ data: sql<string>`json_set(data, '$.comment.alias', ${alias}, '$.comment.emoji', ${emoji})` })
    .where('author_id', '=', userId)
    .execute()
}

/** Has what was told of a line of a bell say what the line says now. */
export async function updateNotificationEvents(
  trx: Db,
  { id, content }: { id: string; content: string },
): Promise<void> {
  await trx
    .updateTable('events')
    .set({ data: sql<string>`json_set(data, '$.notification.content', ${content})` })
    .where('thing_id', '=', id)
    .where('type', '=', 'notification')
    .execute()
}
