import { randomUUID } from 'node:crypto'
import { type Insertable, type SelectQueryBuilder, sql } from 'kysely'
import { runInBatches } from '#db/batches.ts'
import type { Db, Trx } from '#db/client.ts'
import { prepareQuery, prepareWrite } from '#db/prepared.ts'
import type { NotificationsTable, Schema, TargetKind } from '#db/schema.ts'
import { afterCommit, transact } from '#db/transact.ts'
import { selectNotificationViews, toNotificationView, URGENT_MS } from '#features/live/notification-view.server.ts'
import type { EventData } from '#features/live/live.ts'
import { type NewEvent, publish } from '#features/live/live.server.ts'
import { forbidden, notFound, unauthenticated } from '#lib/errors.ts'
import { type PushOptions, queuePush } from './push/queue.server.ts'
import { inBellOrder, NOTIFICATIONS_LIMIT, type NotificationList, type NotificationType } from './notifications.ts'
import type { Requester } from '#lib/auth/current-user.ts'

/** By the partial index notifications_unread, which is used only for a literal 0. */
const selectUnreadCount = prepareQuery((db, { userId }: { userId: string }) =>
  db
    .selectFrom('notifications')
    .select((q) => q.fn.countAll<number>().as('unread'))
    .where('user_id', '=', userId)
    .where('is_read', '=', sql.lit(0)),
)

/** The number of a member's unread notifications. */
export const countUnread = async (db: Db, userId: string): Promise<number> =>
  (await selectUnreadCount(db, { userId }))[0]!.unread

export interface NotificationTarget {
  kind: TargetKind | 'lost'
  id: string
  /** Of decisions: the dog that it belongs to, or is. */
  dogId?: string | null
}

/** To whom a notification goes, and what it is about. */
export interface Addressed {
  /** The recipient. */
  userId: string
  dogId?: string | null
  /** The member who caused it; it is deleted together with their account. */
  actorId?: string | null
  /** The page it leads to, where its kind does not say it. */
  link?: string | null
  /** What its content is of, where its kind does not say it. */
  target?: NotificationTarget | null
  /** Whether it is sent to the member's devices too, and how; as its kind says by default. */
  isPushed?: boolean
  push?: PushOptions
}

/** A notification as it is stored. */
export interface NewNotification extends Addressed {
  type?: NotificationType
  title: string
  content: string
  topic?: 'memory' | 'lost' | null
  isUrgent?: boolean
}

const insertNotification = prepareWrite((trx, row: Insertable<NotificationsTable>) =>
  trx.insertInto('notifications_all').values(row),
)

/** The member's notification of what `actorId` did before about the same dog, by index notifications_bundle. */
const findBundle = (
  trx: Trx,
  { userId, actorId = null, dogId = null, type = 'other', title, link = null }: NewNotification,
) =>
  trx
    .selectFrom('notifications_all')
    .select(['id', 'times', 'is_read'])
    .where('user_id', '=', userId)
    .where('actor_id', '=', actorId)
    .where('dog_id', '=', dogId)
    .where('type', '!=', sql.lit('like'))
    .where('type', '=', type)
    .where('title', '=', title)
    .where('link', link === null ? 'is' : '=', link)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * Stores a notification: features call `notify`. What one member does about one dog is one notification, with the latest words, and is pushed
 * once until it is read, unless it is urgent.
 * @returns the notification's id
 */
export async function storeNotification(trx: Trx, fields: NewNotification, now = Date.now()): Promise<string> {
  const {
    userId,
    type = 'other',
    title,
    content,
    dogId = null,
    actorId = null,
    link = null,
    target,
    topic = null,
    isPushed = true,
    isUrgent = false,
    push,
  } = fields
  const bundle = actorId && dogId && !isUrgent ? await findBundle(trx, fields) : undefined
  const row = { id: bundle?.id ?? randomUUID(), type, title, content, dog_id: dogId, created_at: now }
  const quoted = {
    target_kind: target?.kind ?? null,
    target_id: target?.id ?? null,
    target_dog_id: target?.dogId ?? null,
  }
  if (bundle) {
    const times = bundle.is_read === 1 ? 1 : bundle.times + 1
    const news = { content, created_at: now, times, is_read: 0 as const, ...quoted }
    await trx.updateTable('notifications_all').set(news).where('id', '=', row.id).execute()
  } else
    await insertNotification(trx, {
      ...row,
      user_id: userId,
      actor_id: actorId,
      link,
      topic,
      is_urgent: isUrgent ? 1 : 0,
      ...quoted,
    })
  await publishBellChange(trx, userId, { id: row.id }, now)
  if (isPushed && bundle?.is_read !== 0) await queuePush(trx, { id: row.id, userId, ...push }, now)
  return row.id
}

interface BellChange extends Pick<EventData, 'read' | 'gone'> {
  /** The notification that is new or has changed. */
  id?: string
}

export const bellEvent = (userId: string, { id, ...change }: BellChange): NewEvent => ({
  type: 'notification',
  userId,
  ...(id !== undefined && { thingId: id }),
  ...change,
})

/** Publishes a change in the member's bell to their open pages. */
export const publishBellChange = (trx: Trx, userId: string, change: BellChange, now = Date.now()): Promise<void> =>
  publish(trx, bellEvent(userId, change), now)

/** Publishes that notifications have been deleted. */
export async function publishDeletedNotifications(
  trx: Trx,
  notifications: readonly { id: string; user_id: string }[],
): Promise<void> {
  for (const { id, user_id } of notifications) await publishBellChange(trx, user_id, { gone: id })
}

/** Takes the notifications about a dog that is hidden, or of a member who leaves, out of open bells: of each those that a bell may show. */
export async function publishHiddenNotifications(trx: Trx, by: 'dog_id' | 'actor_id', id: string): Promise<void> {
  const newest = trx.selectFrom('notifications_all').select(['id', 'user_id']).where(by, '=', id)
  await publishDeletedNotifications(
    trx,
    await newest.orderBy('created_at', 'desc').limit(NOTIFICATIONS_LIMIT).execute(),
  )
}

/**
 * Deletes the notifications that a query finds, and takes them out of open bells.
 * @param limit deletes at most this many; default: all
 * @returns how many it deleted
 */
export async function deleteFound(
  trx: Trx,
  ids: SelectQueryBuilder<Schema, 'notifications_all', { id: string }>,
  limit?: number,
): Promise<number> {
  const gone = await trx
    .deleteFrom('notifications_all')
    .where('id', 'in', limit === undefined ? ids : ids.limit(limit))
    .returning(['id', 'user_id'])
    .execute()
  await publishDeletedNotifications(trx, gone)
  return gone.length
}

/** `deleteFound` of those about a dog. Call it before the dog's row is deleted, in the same transaction. */
export const deleteDogNotifications = (trx: Trx, dogId: string, limit?: number): Promise<number> =>
  deleteFound(trx, trx.selectFrom('notifications_all').select('id').where('dog_id', '=', dogId), limit)

/** The member's newest notifications (docs/product.md §14.1: at most 50), by index notifications_user, with all that are urgent. */
export async function listNotifications(db: Db, userId: string, now = Date.now()): Promise<NotificationList> {
  const newest = selectNotificationViews(db)
    .where('n.user_id', '=', userId)
    .orderBy('n.created_at', 'desc')
    .orderBy('n.id', 'desc')
    .limit(NOTIFICATIONS_LIMIT)
  const urgent = newest
    .where('n.is_read', '=', sql.lit(0))
    .where('n.is_urgent', '=', 1)
    .where('n.created_at', '>', now - URGENT_MS)
  const rows = new Map([...(await newest.execute()), ...(await urgent.execute())].map((row) => [row.id, row]))
  const notifications = [...rows.values()]
    .map((row) => ({ ...toNotificationView(row), user_id: userId }))
    .toSorted(inBellOrder)
    .slice(0, NOTIFICATIONS_LIMIT)
  return { notifications, unread: await countUnread(db, userId) }
}

/** Marks one notification read; idempotent. @throws AppError 401; 404; 403 for another member's */
export async function markRead(db: Db, user: Requester, id: string): Promise<{ unread: number }> {
  if (!user) throw unauthenticated()
  return transact(db, async (trx) => {
    const row = await trx
      .selectFrom('notifications_all')
      .select(['user_id', 'is_read'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row) throw notFound('Esta notificación ya no existe.')
    if (row.user_id !== user.id) throw forbidden('Esta notificación no es tuya.')
    if (row.is_read === 0) {
      await trx.updateTable('notifications_all').set({ is_read: 1 }).where('id', '=', id).execute()
      await publishBellChange(trx, user.id, { read: id })
    }
    return { unread: await countUnread(trx, user.id) }
  })
}

/** Notifications that are marked read in one transaction. */
const READ_PER_BATCH = 25

/** Marks all of the member's notifications read. @throws AppError 401 */
export async function markAllRead(db: Db, user: Requester): Promise<{ unread: number }> {
  if (!user) throw unauthenticated()
  let total = 0
  await runInBatches(db, READ_PER_BATCH, async (trx, limit) => {
    const handled = await markUnreadRead(trx, user.id, limit)
    afterCommit(trx, () => (total += handled))
    if (handled < limit && total + handled > 0) await publishBellChange(trx, user.id, { read: 'all' })
    return handled
  })
  return { unread: 0 }
}

async function markUnreadRead(trx: Trx, userId: string, limit: number): Promise<number> {
  const unread = trx.selectFrom('notifications_all').select('id').where('user_id', '=', userId)
  const { numUpdatedRows } = await trx
    .updateTable('notifications_all')
    .set({ is_read: 1 })
    .where('id', 'in', unread.where('is_read', '=', sql.lit(0)).limit(limit))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
