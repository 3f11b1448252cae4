import type { Db } from '#db/client.ts'
import { selectNotificationViews, toNotificationView } from './notification-view.server.ts'
import type { EventRow } from './live.server.ts'
import { FALLBACK_ALIAS, FALLBACK_EMOJI } from '#lib/text/names.ts'
import type { CommentEvent, NotificationEvent, StoredEvents } from './live.ts'

/**
 * Events as they are sent: with today's alias and emoji of a comment's author, and with notifications as they are now.
 * None of this is stored with an event, so a rename costs the same however many events there are. Two look-ups by primary key.
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
  return events.map(({ row, data }) => {
    if (data?.comment) {
      const comment = { ...data.comment, ...(authors.get(data.comment.user_id) ?? FALLBACK_AUTHOR) }
      return withData(row, { ...data, comment } as CommentEvent)
    }
    if (data?.notification)
      return withData(row, {
        ...data,
        notification: notifications.get(data.notification.id) ?? null,
      } as NotificationEvent)
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
