// Notifications: the bell, push messages and weekly mails, and where a member wants to be notified of breeds.
import type { Generated } from 'kysely'
import type { TargetKind } from './moderation.ts'
import type { Flag } from './system.ts'

/** notifications */
export interface NotificationsTable {
  id: string
  user_id: string
  type: 'comment' | 'like' | 'other'
  title: string
  /** With placeholders for the names of member and dog (src/lib/text/names.ts), which are looked up when it is read. */
  content: string
  dog_id: string | null
  is_read: Generated<Flag>
  created_at: number
  /** The member whose action it reports, of grouped likes the latest; null for the site's own notifications. */
  actor_id: string | null
  /** The member that a row of grouped likes names, where it is not `actor_id`. */
  named_id: Generated<string | null>
  /** The path that it links to; null: its dog's page. */
  link: Generated<string | null>
  /** Of grouped likes: it counts those since this time; earlier ones were read before. */
  likes_since: Generated<number>
  /** What `content` quotes or describes: the row is deleted with it. Null where it holds no words of anybody's. */
  target_kind: Generated<TargetKind | 'lost' | null>
  target_id: Generated<string | null>
  /** The target's dog, in rows of decisions: they stay while it is hidden, and are deleted with it. */
  target_dog_id: Generated<string | null>
  /** What the site reminds of, where that can be switched off with one press. */
  topic: Generated<'memory' | 'lost' | null>
  /** How often its actor has done it since it was read. */
  times: Generated<number>
  /** Of the account's security or a lost dog: it comes first while it is unread. */
  is_urgent: Generated<Flag>
}

/** notifications: a browser's push subscription (push/). Deleted with the session in which it was made. */
export interface PushSubscriptionsTable {
  id: string
  user_id: string
  session_id: string
  /** Address at its push service: it allows sending messages, so it is never shown. */
  endpoint: string
  /** The browser's public key and secret, base64url, for encrypting messages. */
  p256dh: string
  auth: string
  /** Consecutive refusals of its service; after a few it is deleted. */
  refusals: Generated<number>
  /** Nothing is sent before this time: its service asked for a pause, or a message was just sent. */
  rest_until: Generated<number>
  created_at: number
}

/** notifications: a member's preferences for push messages; no row means the defaults. */
export interface NoticeSettingsTable {
  user_id: string
  likes: Flag
  comments: Flag
  others: Flag
  /** Quiet hours, in minutes of the day in `time_zone`; both null: none. */
  quiet_from: number | null
  quiet_to: number | null
  /** IANA name. */
  time_zone: string
  /** Whether new dogs of what the member follows are shown in the bell. */
  follows: Generated<Flag>
  /** The same in the weekly mail. */
  follows_digest: Generated<Flag>
  /** «Tal día»: a dog of a year ago, in the bell. */
  memories: Generated<Flag>
}

/** notifications: the queue of push messages. */
export interface PushQueueTable {
  subscription_id: string
  notification_id: string
  due_at: number
  tries: Generated<number>
  /** Whether it waited for the end of quiet hours. */
  held: Generated<Flag>
  /** When the notification last changed: a message about an older state is sent again. */
  queued_at: number
  /** Whether it is sent in quiet hours, too. */
  breaks_quiet: Generated<Flag>
  /** The path of a picture that is shown with it. */
  image: Generated<string | null>
}

/** notifications: the key pair for push services (push/vapid-keys.server.ts), base64url, where nodes share the database: one row. */
export interface PushKeysTable {
  id: number
  public_key: string
  private_key: string
}

/** notifications: the weekly mail of a member (digest/); no row: on, and none sent yet. */
export interface DigestsTable {
  user_id: string
  is_off: Generated<Flag>
  /** The last week it was sent in, by its Monday in Madrid: 20261116. */
  week: number | null
  sent_at: number | null
}

/** nearby: the zone that a member calls home, which nobody else sees, and which notifications they want. */
export interface HomeZonesTable {
  user_id: string
  /** The gazetteer's name of it, never what was typed. */
  zone: string
  /** INE number; empty for places abroad. */
  province: string
  lat: number
  lon: number
  /** How near a missing breed must appear, in km; 0: in the province; null: the member is not notified. */
  alert_km: number | null
  /** The cell of the grid of that distance in which the zone lies (features/nearby/alerts/alert-cells.ts); null: the member is not notified. */
  alert_cell: string | null
  /** The Madrid day of the last alert; 0: none. */
  alerted_day: Generated<number>
  /** Whether the weekly mail names missing breeds. */
  in_digest: Generated<Flag>
  created_at: number
}
