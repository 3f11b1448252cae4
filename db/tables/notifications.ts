// What members are told, by the bell, by their devices and by mail.
import type { Generated } from 'kysely'
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
  /** Whose deed it tells, the last of them where likes are grouped; null for the house's own. */
  actor_id: string | null
  /** Whom a line of grouped likes names, where that is another than `actor_id`. */
  named_id: Generated<string | null>
  /** Where it leads, if not to its dog's page: a path of ours. */
  link: Generated<string | null>
  /** Of a line of likes: it counts those from then on, the others were read before. */
  likes_since: Generated<number>
}

/** notifications: a browser that shows notices (push/). It goes with the session it was turned on in. */
export interface PushSubscriptionsTable {
  id: string
  user_id: string
  session_id: string
  /** Where its push service takes messages for it: whoever knows it can be told, so it is shown to nobody. */
  endpoint: string
  /** The browser's public key and secret, base64url: what messages are encrypted for. */
  p256dh: string
  auth: string
  /** How often in a row its service refused us; after a few it goes. */
  refusals: Generated<number>
  /** Nothing is sent before: its service asked us to wait, or it was told something just now. */
  rest_until: Generated<number>
  created_at: number
}

/** notifications: what a member wants to be told outside the site; no row means the usual. */
export interface NoticeSettingsTable {
  user_id: string
  likes: Flag
  comments: Flag
  others: Flag
  /** Minutes of the day in `time_zone` between which nothing rings; both null: it always may. */
  quiet_from: number | null
  quiet_to: number | null
  /** IANA name. */
  time_zone: string
}

/** notifications: lines of the bell on their way to a device. */
export interface PushQueueTable {
  subscription_id: string
  notification_id: string
  due_at: number
  tries: Generated<number>
  /** It waited for the end of quiet hours. */
  held: Generated<Flag>
  /** When the line last changed: what is told of an older state is told again. */
  queued_at: number
}

/** notifications: the weekly mail of a member (digest/); no row: none sent yet, and they get it. */
export interface DigestsTable {
  user_id: string
  /** Unsubscribes whoever it was mailed to, and does nothing else. */
  token: string
  is_off: Generated<Flag>
  /** The last week it was sent in, by its Monday in Madrid: 20261116. */
  week: number | null
  sent_at: number | null
}

/** notifications: how far the digests of a week have got, in the order of the members' ids. */
export interface DigestRunsTable {
  week: number
  cursor: Generated<string>
  done: Generated<Flag>
}
