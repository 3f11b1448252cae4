import { sql } from 'kysely'
import type { Trx } from '#db/client.ts'
import { publishDeletedNotifications } from './notifications.server.ts'

// One short transaction deletes the row of a dog that is hidden, and a foreign key deletes the notifications that refer to it. They are
// detached before, in batches: nobody sees them (`selectNotificationViews`) and they outlive the row. Afterwards they are deleted, or
// attached again where the dog stays.

/** Detaches at most `limit` notifications from their dog. @returns how many */
export async function detachNotifications(trx: Trx, dogId: string, limit: number): Promise<number> {
  const detached = await trx
    .insertInto('detached_lines')
    .columns(['notification_id', 'dog_id'])
    .expression((eb) =>
      eb
        .selectFrom('notifications')
        .select(['id', sql.val(dogId).as('dog')])
        .where('dog_id', '=', dogId)
        .limit(limit),
    )
    .returning('notification_id')
    .execute()
  const ids = detached.map(({ notification_id }) => notification_id)
  // SQLite scans the whole table for an empty list.
  if (ids.length === 0) return 0
  await trx.updateTable('notifications').set({ dog_id: null }).where('id', 'in', ids).execute()
  return ids.length
}

/**
 * Attaches at most `limit` notifications to their dog again. Of a member's notifications of likes only the newest stays: there is one
 * for each dog.
 * @returns how many it attached or deleted
 */
export async function attachNotifications(trx: Trx, dogId: string, limit: number): Promise<number> {
  const ids = await findDetachedNotifications(trx, dogId, limit)
  if (ids.length === 0) return 0
  const older = await trx
    .deleteFrom('notifications')
    .where('id', 'in', ids)
    .where('type', '=', 'like')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('notifications as newer')
          .select('newer.id')
          .whereRef('newer.user_id', '=', 'notifications.user_id')
          .where('newer.type', '=', 'like')
          .where((eb) => eb.or([eb('newer.dog_id', '=', dogId), eb('newer.id', 'in', ids)]))
          .where(sql<boolean>`(newer.created_at, newer.id) > (notifications.created_at, notifications.id)`),
      ),
    )
    .returning(['id', 'user_id'])
    .execute()
  // The ones that are left are newer than what their bell has of this dog.
  const replaced = await trx
    .deleteFrom('notifications')
    .where('dog_id', '=', dogId)
    .where('type', '=', 'like')
    .where('user_id', 'in', (eb) =>
      eb.selectFrom('notifications').select('user_id').where('id', 'in', ids).where('type', '=', 'like'),
    )
    .returning(['id', 'user_id'])
    .execute()
  await publishDeletedNotifications(trx, [...older, ...replaced])
  await trx.updateTable('notifications').set({ dog_id: dogId }).where('id', 'in', ids).execute()
  await trx.deleteFrom('detached_lines').where('notification_id', 'in', ids).execute()
  return ids.length
}

/** Deletes at most `limit` detached notifications of a dog. @returns how many */
export async function deleteDetachedNotifications(trx: Trx, dogId: string, limit: number): Promise<number> {
  const ids = await findDetachedNotifications(trx, dogId, limit)
  if (ids.length === 0) return 0
  const deleted = await trx.deleteFrom('notifications').where('id', 'in', ids).returning(['id', 'user_id']).execute()
  await publishDeletedNotifications(trx, deleted)
  return ids.length
}

async function findDetachedNotifications(trx: Trx, dogId: string, limit: number): Promise<string[]> {
  const rows = trx.selectFrom('detached_lines').select('notification_id').where('dog_id', '=', dogId).limit(limit)
  return (await rows.execute()).map(({ notification_id }) => notification_id)
}
