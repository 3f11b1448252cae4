import type { NotificationEvent } from '#features/live/live.ts'
import {
  badgeText,
  inBellOrder,
  type Notification,
  NOTIFICATIONS_LIMIT,
  type NotificationType,
} from '#features/notifications/notifications.ts'

/** A notification of the panel; `isFresh` once it was added or changed by an event. */
export type BellNotification = Notification & { isFresh?: true }

/** The state of a page's bell. */
export interface Bell {
  /** Unread notifications, by the server's last count. */
  unread: number
  /** In the order of the bell; null until the panel has loaded them. */
  list: readonly BellNotification[] | null
  /** Ids that are being marked read: already shown as read, and rolled back on failure. */
  pendingReadIds: ReadonlySet<string>
  /** The number of unread notifications that «marcar todas» is marking; 0 while it is not. */
  pendingReadAllCount: number
}

export const EMPTY_BELL: Bell = { unread: 0, list: null, pendingReadIds: new Set(), pendingReadAllCount: 0 }

/** The number to show: never below 0, in whatever order events come (docs/product.md §14.1). */
export const shownUnread = ({ unread, pendingReadIds, pendingReadAllCount }: Bell): number =>
  Math.max(0, unread - Math.max(pendingReadAllCount, pendingReadIds.size))

export const isShownRead = (bell: Bell, item: Notification): boolean => item.is_read || bell.pendingReadIds.has(item.id)

/** The bell's accessible name. */
export function bellLabel(unread: number): string {
  if (unread === 0) return 'Notificaciones'
  return `Notificaciones, ${badgeText(unread) === String(unread) ? unread : 'más de 99'} sin leer`
}

/** Which icon a notification without a photo has. */
export const iconName = ({ type, topic, urgent }: Notification): NotificationType | 'lost' | 'memory' | 'urgent' =>
  topic ?? (urgent ? 'urgent' : type)

/** The target of a notification; that of a comment is the comments of the dog's page. */
export const notificationHref = ({ path, type }: Notification): string | null =>
  path && (type === 'comment' ? `${path}#comentarios` : path)

/** The types' names for screen readers; on screen colours and icons tell them. */
export const TYPE_NAMES: Record<NotificationType, string> = { comment: 'Comentario', like: 'Like', other: 'Aviso' }

/** Switches «Tal día» off. */
export const MEMORIES_API = '/api/account/memories'
/** The button that does it. */
export const STOP_MEMORIES = 'No recordarme más'

/** The bell after an event. Idempotent. */
export function applyNotificationEvent(bell: Bell, { unread, notification, gone, read }: NotificationEvent): Bell {
  const settledIds = [gone, read, notification && !notification.is_read ? notification.id : undefined]
  const pendingReadIds =
    read === 'all' ? new Set<string>() : new Set([...bell.pendingReadIds].filter((id) => !settledIds.includes(id)))
  const next = { ...bell, unread, pendingReadIds, pendingReadAllCount: read === 'all' ? 0 : bell.pendingReadAllCount }
  if (!bell.list) return next
  const list = bell.list
    .filter(({ id }) => id !== gone && id !== notification?.id)
    .map((item) => (read === 'all' || item.id === read ? { ...item, is_read: true } : item))
  if (notification) list.push(notification.is_read ? notification : { ...notification, isFresh: true })
  return { ...next, list: list.sort(inBellOrder).slice(0, NOTIFICATIONS_LIMIT) }
}

/** Shows notifications as read before the server has answered. */
export function beginMarkRead(bell: Bell, target: string | 'all'): Bell {
  if (target !== 'all') return { ...bell, pendingReadIds: new Set(bell.pendingReadIds).add(target) }
  const unread = bell.list?.filter((item) => !item.is_read) ?? []
  return { ...bell, pendingReadIds: new Set(unread.map(({ id }) => id)), pendingReadAllCount: bell.unread }
}

/** Applies the server's answer; without `unread` the request failed and the notifications are unread again. */
export function endMarkRead(bell: Bell, target: string | 'all', unread?: number): Bell {
  const remaining = new Set(target === 'all' ? [] : [...bell.pendingReadIds].filter((id) => id !== target))
  const next = {
    ...bell,
    pendingReadIds: remaining,
    pendingReadAllCount: target === 'all' ? 0 : bell.pendingReadAllCount,
  }
  if (unread === undefined) return next
  const isTarget = (id: string) => (target === 'all' ? bell.pendingReadIds.has(id) : id === target)
  const list = bell.list?.map((item) => (isTarget(item.id) ? { ...item, is_read: true } : item)) ?? null
  return { ...next, unread, list }
}
