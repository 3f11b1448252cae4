import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { selectNotificationViews, toNotificationView } from './notification-view.server.ts'
import type { EventRow } from './live.server.ts'
import { FALLBACK_ALIAS, FALLBACK_EMOJI } from '#lib/text/names.ts'
import type { CommentEvent, NotificationEvent, StoredEvents } from './live.ts'

/**
 * Events as they are sent: with today's alias and emoji of a comment's author, and with notifications and the number of unread ones as
 * they are now. None of this is stored with an event, so a rename costs the same however many events there are, and transactions that
 * notify the same member at the same time need not count each other's. Look-ups by index.
 */
export async function fillInEvents(db: Db, rows: readonly EventRow[]): Promise<EventRow[]> {
  const events = rows.map((row) => ({ row, data: needsFilling(row) ? (JSON.parse(row.data) as StoredData) : null }))
  const authors = await findAuthors(
    db,
    events.flatMap(({ data }) => data?.comment?.user_id ?? []),
  )
  const notifications = await findNotificationViews(
    db,
    events.flatMap(({ data }) => data?.notification?.id ?? []),
  )
  const unreadCounts = await countUnread(
    db,
    rows.flatMap(({ type, user_id }) => (type === 'notification' && user_id !== null ? user_id : [])),
  )
  return events.map(({ row, data }) => {
    if (data?.comment) {
      const comment = { ...data.comment, ...(authors.get(data.comment.user_id) ?? FALLBACK_AUTHOR) }
      return withData(row, { ...data, comment } as CommentEvent)
    }
    if (data && row.type === 'notification') {
      const notification = data.notification ? (notifications.get(data.notification.id) ?? null) : null
      const unread = unreadCounts.get(row.user_id ?? '') ?? 0
      return withData(row, { ...data, notification, unread } as NotificationEvent)
    }
    return row
  })
}

type StoredData = Partial<StoredEvents['comment'] & StoredEvents['notification']>

const FALLBACK_AUTHOR = { alias: FALLBACK_ALIAS, emoji: FALLBACK_EMOJI }

const needsFilling = ({ type }: EventRow) => type === 'comment' || type === 'notification'

const withData = (row: EventRow, data: object): EventRow => ({ ...row, data: JSON.stringify(data) })

async function findAuthors(db: Db, ids: readonly string[]): Promise<Map<string, { alias: string; emoji: string }>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('profiles')
    .select(['id', 'alias', 'emoji'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, ...author }) => [id, author]))
}

async function findNotificationViews(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return new Map()
  const rows = await selectNotificationViews(db).where('n.id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, toNotificationView(row)]))
}

/** The numbers of unread notifications of the members, by index notifications_unread; without those who have none. */
async function countUnread(db: Db, userIds: readonly string[]): Promise<Map<string, number>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('notifications')
    .select((eb) => ['user_id', eb.fn.countAll<number>().as('unread')])
    .where('user_id', 'in', [...new Set(userIds)])
    .where('is_read', '=', sql.lit(0))
    .groupBy('user_id')
    .execute()
  return new Map(rows.map(({ user_id, unread }) => [user_id, unread]))
}
