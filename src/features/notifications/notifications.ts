import type * as z from 'zod/mini'
import type { notificationAnswer } from '#features/live/answers.ts'
import type { notificationsAnswer, unreadAnswer } from './answers.ts'

export type NotificationType = 'comment' | 'like' | 'other'

/** A notification of the bell (docs/product.md §26.4); `created_at` in milliseconds. */
export type Notification = z.output<typeof notificationAnswer>

export type NotificationList = z.output<typeof notificationsAnswer>

/** The answer to a call that marks notifications read. */
export type UnreadCount = z.output<typeof unreadAnswer>

/** The most notifications in the bell (docs/product.md §14.1). */
export const NOTIFICATIONS_LIMIT = 50

const isFirst = ({ urgent, is_read }: Notification) => Number(urgent === true && !is_read)

/** The order of the bell: what is urgent comes first while it is unread, then the newest. */
export const inBellOrder = (a: Notification, b: Notification): number =>
  isFirst(b) - isFirst(a) || b.created_at - a.created_at || (a.id < b.id ? 1 : -1)

/** The largest number on the bell (docs/product.md §14.1). */
export const BADGE_CAP = 99
export const badgeText = (unread: number): string => (unread > BADGE_CAP ? '99+' : String(Math.max(0, unread)))

/**
 * The likes of a dog in one sentence: «A Ana le gusta Toby», «A Ana y 3 más les gusta Toby».
 * @param count the number of likers, with the named one
 */
export const likesSentence = (first: string, count: number, dog: string): string =>
  count > 1 ? `A ${first} y ${count - 1} más les gusta ${dog}` : `A ${first} le gusta ${dog}`
