// What is reported, held and decided.
import type { Generated } from 'kysely'
import type { Flag } from './system.ts'

/** What may be reported and held; a photo's `thing_id` is its url, the others' their id. */
export type TargetKind = 'dog' | 'photo' | 'comment' | 'profile'

/** reports: what a member says of a thing. */
export interface ReportsTable {
  id: string
  kind: TargetKind
  thing_id: string
  /** Null once who said it is gone. */
  user_id: string | null
  reason: string
  words: string
  /** Where it was sent from, as a hash under that day's key (`report_keys`): compared, never undone. Null once it is closed. */
  origin: string | null
  /** Whether it counts towards hiding by itself: not from an account of the same day. */
  counts: Flag
  created_at: number
  closed_at: number | null
}

/** reports: the key of a day's origins; it goes with its day. */
export interface ReportKeysTable {
  day: number
  key: string
}

/** moderation: a thing about which there is, or was, something to decide. */
export interface CasesTable {
  id: string
  kind: TargetKind
  thing_id: string
  /** Why it first came here. */
  cause: 'reports' | 'words' | 'anonymous'
  /** Whose it is; of a dog the owner, else the discoverer. */
  user_id: string | null
  dog_id: string | null
  /** Open reports. */
  reports: Generated<number>
  open: Generated<Flag>
  created_at: number
  latest_at: number
  /** When its author last changed what it is about; 0 for never. */
  edited_at: Generated<number>
}

/**
 * moderation: the log of everything done, by the admin or by the house (`admin_id` null). Rows are never changed, but for
 * `thing_id`, `what` and `reason` where the member they are of deleted their account.
 */
export interface DecisionsTable {
  id: string
  case_id: string | null
  kind: TargetKind
  thing_id: string
  /** What the thing was, in words that stay when it is gone: «Toby, Beagle». */
  what: string
  deed: 'hide' | 'hold' | 'auto-hide' | 'restore' | 'delete' | 'warn' | 'ban' | 'unban' | 'dismiss' | 'note'
  admin_id: string | null
  /** What its people read; of a note what the admin wrote down. */
  reason: string
  /** The end of a ban; null for good. */
  until: number | null
  created_at: number
}

/** moderation: whom a decision concerns, and what they answered, once. */
export interface DecisionPeopleTable {
  decision_id: string
  user_id: string
  appeal: string | null
  appeal_at: number | null
  created_at: number
}

/** moderation: what was taken out of sight, whole. */
export interface QuarantineTable {
  kind: TargetKind
  thing_id: string
  dog_id: string | null
  /** Whose it is, and of a dog the other of its two people: they still see it. */
  user_id: string | null
  other_id: string | null
  /** A dog's address. */
  path_breed: string | null
  path_slug: string | null
  /** Of the request that added the dog. */
  idempotency_key: string | null
  cause: 'reports' | 'words' | 'anonymous' | 'admin'
  /** JSON: the rows as they stood. */
  snapshot: string
  created_at: number
}

/** moderation: who may not write. */
export interface BansTable {
  user_id: string
  /** Null for good. */
  until: number | null
  reason: string
  created_at: number
}

/** moderation: what banned members who deleted their account signed in with, unreadable. */
export interface BanDigestsTable {
  digest: string
  until: number
}

/** moderation: the key of those digests; gone with the last of them. */
export interface BanKeysTable {
  id: number
  key: string
}

/** moderation: who does not want to meet whom; it holds both ways. */
export interface BlocksTable {
  user_id: string
  blocked_id: string
  created_at: number
}
