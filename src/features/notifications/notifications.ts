import type { NotificationEvent } from '#features/live/live.ts'

export type NotificationType = 'comment' | 'like' | 'other'

/** A line of the bell (docs/product.md §26.4); `created_at` in milliseconds. */
export type Notification = NonNullable<NotificationEvent['notification']>

export interface NotificationList {
  notifications: Notification[]
  unread: number
}

/** How many lines the bell holds (docs/product.md §14.1). */
export const NOTIFICATIONS_LIMIT = 50

/** The largest number on the bell (docs/product.md §14.1). */
export const BADGE_CAP = 99
export const badgeText = (unread: number): string => (unread > BADGE_CAP ? '99+' : String(Math.max(0, unread)))

/**
 * Likes of one dog in one sentence: «A Ana le gusta Toby», «A Ana y 3 más les gusta Toby».
 * @param count how many like it, the named one among them
 */
export const likesSentence = (first: string, count: number, dog: string): string =>
  count > 1 ? `A ${first} y ${count - 1} más les gusta ${dog}` : `A ${first} le gusta ${dog}`

/** A dog in a sentence; many have no name (`???`, docs/product.md §1.5). */
export const dogInSentence = (name: string): string => (name === '???' ? 'el perro sin nombre' : name)
