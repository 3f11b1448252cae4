/** What `GET /api/events` tells (docs/product.md §15.1). Times in milliseconds. */

/** Somebody liked a dog, or no longer does. */
export interface LikeEvent {
  /** The like's own id. */
  id: string
  dog_id: string
  /** Who gave or took it. */
  user_id: string
  liked: boolean
  /** The dog's count afterwards. */
  likes: number
  /** Whose dog it is: their header counts it. */
  owner_id: string | null
  discoverer_id: string | null
  created_at: number
}

/** A dog came, changed or went. Of one that went only the id is told. */
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

/** A comment came or went. */
export interface CommentEvent {
  action: 'added' | 'removed'
  id: string
  dog_id: string
  /** The dog's count afterwards. */
  comments: number
  /** As lists show it; only of one that came. */
  comment?: {
    id: string
    user_id: string
    dog_id: string
    content: string
    created_at: number
    alias: string
    emoji: string
    /** It waits for the admin, or was hidden: its author alone sees it, and the stream never tells of it. */
    held?: 'waits' | 'hidden'
  }
}

/** Something changed in the member's bell: for that member alone. */
export interface NotificationEvent {
  unread: number
  /** The line that came or changed; null where lines were only read or went. */
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
  /** The line that was read or went. */
  gone?: string
  read?: string | 'all'
}

export interface LiveEvents {
  like: LikeEvent
  dog: DogEvent
  comment: CommentEvent
  notification: NotificationEvent
}
export type LiveType = keyof LiveEvents
export const LIVE_TYPES = ['like', 'dog', 'comment', 'notification'] as const satisfies readonly LiveType[]

/** Sent at the start and then now and then, so that both sides know the other still lives; its id is the last one told. */
export const HEARTBEAT = 'ping'
/** The history asked for is gone: what the page shows must be asked for anew. */
export const RESYNC = 'resync'

/** How often a heartbeat comes, ms: proxies commonly close what is silent for a minute. */
export const HEARTBEAT_INTERVAL_MS = 20_000
