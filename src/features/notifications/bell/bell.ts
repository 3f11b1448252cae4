import type { NotificationEvent } from '#features/live/live.ts'
import {
  badgeText,
  type Notification,
  NOTIFICATIONS_LIMIT,
  type NotificationType,
} from '#features/notifications/notifications.ts'

/** A line of the panel; `isFresh` once it came or grew by itself, without being asked for. */
export type BellNotification = Notification & { isFresh?: true }

/** What the bell of a page knows. */
export interface Bell {
  /** Unread lines, as the server last counted them. */
  unread: number
  /** Newest first; null until the panel has asked for them. */
  list: readonly BellNotification[] | null
  /** Lines being marked as read: shown so already, taken back if it fails. */
  marking: ReadonlySet<string>
  /** How many unread lines «marcar todas» is marking; 0 while it is not. */
  markingAll: number
}

export const EMPTY_BELL: Bell = { unread: 0, list: null, marking: new Set(), markingAll: 0 }

/** The number to show: never below 0, whatever comes in which order (docs/product.md §14.1). */
export const shownUnread = ({ unread, marking, markingAll }: Bell): number =>
  Math.max(0, unread - Math.max(markingAll, marking.size))

export const isShownRead = (bell: Bell, line: Notification): boolean => line.is_read || bell.marking.has(line.id)

/** The bell's name, for who cannot see its badge. */
export function bellLabel(unread: number): string {
  if (unread === 0) return 'Notificaciones'
  return `Notificaciones, ${badgeText(unread) === String(unread) ? unread : 'más de 99'} sin leer`
}

/** Where a line leads: a comment to the comments of the dog's page. */
export const notificationHref = ({ path, type }: Notification): string | null =>
  path && (type === 'comment' ? `${path}#comentarios` : path)

/** The kind of a line for who cannot see its colour. */
export const TYPE_NAMES: Record<NotificationType, string> = { comment: 'Comentario', like: 'Like', other: 'Aviso' }

const newestFirst = (a: Notification, b: Notification) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1)

/** The bell after what the stream told. Telling it twice changes nothing more. */
export function applyNotificationEvent(bell: Bell, { unread, notification, gone, read }: NotificationEvent): Bell {
  const settled = [gone, read, notification && !notification.is_read ? notification.id : undefined]
  const marking = read === 'all' ? new Set<string>() : new Set([...bell.marking].filter((id) => !settled.includes(id)))
  const next = { ...bell, unread, marking, markingAll: read === 'all' ? 0 : bell.markingAll }
  if (!bell.list) return next
  const list = bell.list
    .filter(({ id }) => id !== gone && id !== notification?.id)
    .map((line) => (read === 'all' || line.id === read ? { ...line, is_read: true } : line))
  if (notification) list.push(notification.is_read ? notification : { ...notification, isFresh: true })
  return { ...next, list: list.sort(newestFirst).slice(0, NOTIFICATIONS_LIMIT) }
}

/** Shows lines as read before the server has said so. */
export function marking(bell: Bell, what: string | 'all'): Bell {
  if (what !== 'all') return { ...bell, marking: new Set(bell.marking).add(what) }
  const unread = bell.list?.filter((line) => !line.is_read) ?? []
  return { ...bell, marking: new Set(unread.map(({ id }) => id)), markingAll: bell.unread }
}

/** The server has answered, or (`unread` undefined) it failed and the lines are unread again. */
export function marked(bell: Bell, what: string | 'all', unread?: number): Bell {
  const rest = new Set(what === 'all' ? [] : [...bell.marking].filter((id) => id !== what))
  const next = { ...bell, marking: rest, markingAll: what === 'all' ? 0 : bell.markingAll }
  if (unread === undefined) return next
  const done = (id: string) => (what === 'all' ? bell.marking.has(id) : id === what)
  const list = bell.list?.map((line) => (done(line.id) ? { ...line, is_read: true } : line)) ?? null
  return { ...next, unread, list }
}
