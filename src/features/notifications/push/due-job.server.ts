import type { Db } from '#db/client.ts'
import { prepareQuery } from '#db/prepared.ts'
import { selectNotificationViews, toNotificationView } from '#features/live/notification-view.server.ts'
import type { PushedNotification } from './message.ts'
import { removeFromQueue } from './queue.server.ts'
import { MESSAGE_TTL_MS } from './retry.ts'
import { isPushWanted, type NoticeSettings } from './settings.ts'
import { toSettings } from './settings.server.ts'

export interface PushDevice {
  id: string
  endpoint: string
  keys: { p256dh: string; auth: string }
  refusals: number
  /** Its session has expired. */
  isSessionExpired: boolean
  settings: NoticeSettings
}
export interface QueuedNotification {
  notification: PushedNotification
  tries: number
  wasDeferred: boolean
  breaksQuiet: boolean
  queuedAt: number
}

const selectDevice = prepareQuery((db, { id }: { id: string }) =>
  db
    .selectFrom('push_subscriptions as s')
    .innerJoin('sessions as e', 'e.id', 's.session_id')
    .leftJoin('notice_settings as n', 'n.user_id', 's.user_id')
    .select(['s.id', 's.endpoint', 's.p256dh', 's.auth', 's.refusals', 'e.expires_at'])
    .selectAll('n')
    .where('s.id', '=', id),
)

const dueOf = (db: Db, { id, now }: { id: string; now: number }) =>
  db.selectFrom('push_queue').where('subscription_id', '=', id).where('due_at', '<=', now)
const selectDueEntries = prepareQuery((db, of: { id: string; now: number }) =>
  dueOf(db, of).select(['notification_id', 'tries', 'held', 'queued_at', 'breaks_quiet', 'image']),
)
const selectDueViews = prepareQuery((db, of: { id: string; now: number }) =>
  selectNotificationViews(db).where('n.id', 'in', dueOf(db, of).select('notification_id')),
)

/**
 * Reads a device with its due notifications, newest first; undefined where the device was deleted. Notifications that are
 * read, too old or of a disabled type are removed from the queue.
 */
export async function readDueJob(
  db: Db,
  id: string,
  now: number,
): Promise<{ device: PushDevice; queued: QueuedNotification[] } | undefined> {
  const [row] = await selectDevice(db, { id })
  if (!row) return undefined
  const { endpoint, p256dh, auth, refusals } = row
  const settings = toSettings(row.user_id === null ? undefined : (row as Parameters<typeof toSettings>[0]))
  const isSessionExpired = row.expires_at * 1000 <= now
  const device = { id, endpoint, keys: { p256dh, auth }, refusals, isSessionExpired, settings }
  const entries = await selectDueEntries(db, { id, now })
  const rows = await selectDueViews(db, { id, now })
  const views = new Map(rows.map((row) => [row.id, toNotificationView(row)]))
  // Deleted meanwhile, or about a dog that is being hidden.
  await removeFromQueue(db, id, entries.filter((entry) => !views.has(entry.notification_id)).map(toQueueKey))
  const notifications = entries
    .filter((entry) => views.has(entry.notification_id))
    .map((entry) => ({ ...entry, view: views.get(entry.notification_id)! }))
    .toSorted((a, b) => b.view.created_at - a.view.created_at)
  // A notification that was deferred over quiet hours may be twice as old.
  const isCurrent = (notification: (typeof notifications)[number]) =>
    now - notification.queued_at < MESSAGE_TTL_MS * (notification.held ? 2 : 1)
  const isSendable = (notification: (typeof notifications)[number]) =>
    !notification.view.is_read && isPushWanted(settings, notification.view) && isCurrent(notification)
  await removeFromQueue(db, id, notifications.filter((notification) => !isSendable(notification)).map(toQueueKey))
  const queued = notifications.filter(isSendable).map(({ view, tries, held, queued_at, breaks_quiet, image }) => ({
    notification: { id: view.id, type: view.type, title: view.title, content: view.content, path: view.path, image },
    tries,
    wasDeferred: held === 1,
    breaksQuiet: breaks_quiet === 1,
    queuedAt: queued_at,
  }))
  return { device, queued }
}

const toQueueKey = (row: { notification_id: string; queued_at: number }) => ({
  id: row.notification_id,
  at: row.queued_at,
})
