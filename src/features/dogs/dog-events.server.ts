import type { Trx } from '#db/client.ts'
import { deleteDogEvents, updateDogEvents } from '#features/live/event-history.server.ts'
import type { DogEvent } from '#features/live/live.ts'
import { publish } from '#features/live/live.server.ts'
import { paths } from '#lib/paths.ts'

/** Publishes to open pages that a dog was hidden. Its earlier events are sent to nobody while it is. */
export const publishHiddenDog = (trx: Trx, id: string, now: number): Promise<void> =>
  publish(trx, { type: 'dog', data: { action: 'removed', id } }, now)

/**
 * Publishes to open pages that a dog was added, changed or removed. Also updates the dog's earlier events in the history,
 * or deletes them with the dog; of one that is `added`, where it is in the lists again (`isEarlier`). Nothing is published of a hidden dog. Call it at the end of the action's transaction.
 */
export async function publishDogEvent(
  trx: Trx,
  action: DogEvent['action'],
  id: string,
  now = Date.now(),
  { isEarlier = false } = {},
): Promise<void> {
  const row =
    action === 'removed'
      ? undefined
      : await trx
          .selectFrom('dogs')
          .select(['name', 'breed', 'photo_url', 'owner_id', 'discoverer_id', 'created_at'])
          .select(['path_breed', 'path_slug'])
          .where('id', '=', id)
          .executeTakeFirst()
  if (action === 'removed') {
    await deleteDogEvents(trx, id)
    return publish(trx, { type: 'dog', data: { action, id } }, now)
  }
  if (!row) return
  const { name, breed, photo_url, owner_id, discoverer_id, created_at } = row
  const data = { action, id, name, breed, photo_url, owner_id, discoverer_id, created_at, path: paths.dog(row) }
  if (action !== 'added' || isEarlier) await updateDogEvents(trx, data)
  await publish(trx, { type: 'dog', data }, now)
}
