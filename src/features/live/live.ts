import type * as z from 'zod/mini'
import type { commentEventAnswer, dogEventAnswer, likeEventAnswer, notificationEventAnswer } from './answers.ts'

// The events of `GET /api/events` (docs/product.md §15.1). Times in milliseconds.

/** A member liked a dog, or no longer does. */
export type LikeEvent = z.output<typeof likeEventAnswer>

/** A dog was added, changed or removed. A removed one comes with its id alone. */
export type DogEvent = z.output<typeof dogEventAnswer>

/** A comment was added or removed. */
export type CommentEvent = z.output<typeof commentEventAnswer>

/** A change in the member's bell. Sent to that member alone. */
export type NotificationEvent = z.output<typeof notificationEventAnswer>

export interface LiveEvents {
  like: LikeEvent
  dog: DogEvent
  comment: CommentEvent
  notification: NotificationEvent
}
export type LiveType = keyof LiveEvents

/** What is stored of an event beside what it is about: the rest is looked up when it is sent (event-content.server.ts). */
export interface EventData {
  /** Of a dog or a comment. */
  action?: DogEvent['action']
  /** Of a like. */
  liked?: boolean
  /** Of a like or a comment: how many the dog has afterwards; as many as when it is sent by default. */
  count?: number
  /** Of a bell. */
  read?: string
  gone?: string
}

export const LIVE_TYPES = ['like', 'dog', 'comment', 'notification'] as const satisfies readonly LiveType[]

/** Type of the heartbeat, sent first and then regularly, so that both sides notice a dead connection. Its id is the last sent. */
export const HEARTBEAT = 'ping'
/** Type of the event that replaces a history which is not stored any more: the page must load its data again. */
export const RESYNC = 'resync'

/** Time between heartbeats, ms: proxies commonly close connections that are silent for a minute. */
export const HEARTBEAT_INTERVAL_MS = 20_000
