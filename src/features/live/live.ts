// The events of `GET /api/events` (docs/product.md §15.1). Times in milliseconds.

/** A member liked a dog, or no longer does. */
export interface LikeEvent {
  /** The like's own id. */
  id: string
  dog_id: string
  /** The member whose like it is; empty for everybody else than them where it was taken back. */
  user_id: string
  liked: boolean
  /** The dog's count afterwards. */
  likes: number
  /** The dog's owner: their header counts the like. */
  owner_id: string | null
  discoverer_id: string | null
  created_at: number
}

/** A dog was added, changed or removed. A removed one comes with its id alone. */
export interface DogEvent {
  action: 'added' | 'changed' | 'removed'
  id: string
  name?: string
  breed?: string
  path?: string
  photo_url?: string
  owner_id?: string | null
  discoverer_id?: string | null
  created_at?: number
}

/** A comment was added or removed. */
export interface CommentEvent {
  action: 'added' | 'removed'
  id: string
  dog_id: string
  /** The dog's count afterwards. */
  comments: number
  /** The comment as lists show it, where it was added. */
  comment?: {
    id: string
    user_id: string
    dog_id: string
    content: string
    created_at: number
    alias: string
    emoji: string
    /** In quarantine, pending review or hidden: its author alone sees it, and it is never published. */
    held?: 'waits' | 'hidden'
  }
}

/** A change in the member's bell. Sent to that member alone. */
export interface NotificationEvent {
  unread: number
  /** The notification that was added or changed; null where some were only read or deleted. */
  notification: {
    id: string
    type: 'comment' | 'like' | 'other'
    title: string
    content: string
    dog_id: string | null
    is_read: boolean
    created_at: number
    /** The dog's page; null where there is none. */
    path: string | null
  } | null
  /** The id of a notification that was deleted. */
  gone?: string
  /** The id of a notification that was read, or all. */
  read?: string | 'all'
}

export interface LiveEvents {
  like: LikeEvent
  dog: DogEvent
  comment: CommentEvent
  notification: NotificationEvent
}
export type LiveType = keyof LiveEvents

/** Events as they are stored: names, and what a line of a bell says, are looked up when they are sent (event-names.server.ts). */
export interface StoredEvents {
  like: LikeEvent
  dog: DogEvent
  comment: Omit<CommentEvent, 'comment'> & { comment?: Omit<NonNullable<CommentEvent['comment']>, 'alias' | 'emoji'> }
  notification: Omit<NotificationEvent, 'notification'> & {
    notification: Pick<NonNullable<NotificationEvent['notification']>, 'id' | 'dog_id'> | null
  }
}
export const LIVE_TYPES = ['like', 'dog', 'comment', 'notification'] as const satisfies readonly LiveType[]

/** Type of the heartbeat, sent first and then regularly, so that both sides notice a dead connection. Its id is the last sent. */
export const HEARTBEAT = 'ping'
/** Type of the event that replaces a history which is not stored any more: the page must load its data again. */
export const RESYNC = 'resync'

/** Time between heartbeats, ms: proxies commonly close connections that are silent for a minute. */
export const HEARTBEAT_INTERVAL_MS = 20_000
