// Reports, decisions, bans and blocks.
import type { Generated } from 'kysely'
import type { Flag } from './system.ts'

/** What may be reported and hidden; a photo's `thing_id` is its url, the others' their id. */
export type TargetKind = 'dog' | 'photo' | 'comment' | 'profile' | 'opinion'

/** reports: a member's report of a target. */
export interface ReportsTable {
  id: string
  kind: TargetKind
  thing_id: string
  /** Null only where the account was deleted while this row was written: `eraseOwnReports` deletes a member's reports. */
  user_id: string | null
  reason: string
  words: string
  /** Keyed hash of the sender's network with that day's key (`report_keys`): compared, never reversed. Null after it is closed. */
  origin: string | null
  /** 1: the reporter was an established member (`reports.server.ts`), so it counts towards automatic hiding. */
  counts: Flag
  created_at: number
  closed_at: number | null
}

/** reports: the key of a day's origins; deleted after that day. */
export interface ReportKeysTable {
  day: number
  key: string
}

/** moderation: a target with an open or closed case. */
export interface CasesTable {
  id: string
  kind: TargetKind
  thing_id: string
  /** Why the case was opened last. */
  cause: 'reports' | 'words' | 'anonymous'
  /** The author of what the filter hides; of a reported dog the owner, else the discoverer. Null for a visitor and for a deleted account. */
  user_id: string | null
  dog_id: string | null
  /** Open reports. */
  reports: Generated<number>
  open: Generated<Flag>
  created_at: number
  latest_at: number
  /** When its author last changed what it is about; 0 for never. */
  edited_at: Generated<number>
  /** JSON: texts of a public dog that the filter doubts (features/dogs/proposed-texts.server.ts), until the case is closed. */
  proposed: Generated<string | null>
}

/**
 * moderation: the log of all actions of the admin or of the site itself (`admin_id` null). Rows never change, except `thing_id`, `what` and
 * `reason` after the member concerned has deleted their account.
 */
export interface DecisionsTable {
  id: string
  case_id: string | null
  kind: TargetKind
  thing_id: string
  /** Description of the target that remains after its deletion: «Toby, Beagle». */
  what: string
  deed: 'hide' | 'hold' | 'auto-hide' | 'restore' | 'delete' | 'warn' | 'ban' | 'unban' | 'dismiss' | 'note'
  admin_id: string | null
  /** The reason that the members concerned read; of a note the admin's text. */
  reason: string
  /** The end of a ban; null: permanent. */
  until: number | null
  created_at: number
}

/** moderation: the members that a decision concerns, with their one appeal. */
export interface DecisionPeopleTable {
  decision_id: string
  user_id: string
  appeal: string | null
  appeal_at: number | null
  created_at: number
}

/** moderation: members who may not write. */
export interface BansTable {
  user_id: string
  /** Null: permanent. */
  until: number | null
  reason: string
  created_at: number
}

/** moderation: digests of the sign-in addresses of banned members who deleted their account. */
export interface BanDigestsTable {
  digest: string
  until: number
}

/** moderation: the key of those digests; deleted with the last of them. */
export interface BanKeysTable {
  id: number
  key: string
}

/** moderation: blocks between members; they apply in both directions. */
export interface BlocksTable {
  user_id: string
  blocked_id: string
  created_at: number
  /** 1 while the two members' notifications about each other are being deleted. */
  notifications_pending: Generated<Flag>
}

/**
 * moderation: what admins did, ids only: names and reasons are looked up when it is read. Triggers refuse every change, and deleting a row
 * that is younger than two years.
 */
export interface AdminLogTable {
  id: string
  /** Null: the operator, on the machine. */
  admin_id: string | null
  /** One of `ADMIN_ACTIONS` (moderation/admin-log.ts). */
  action: string
  target_kind: 'case' | 'member' | 'breed' | 'mailbox' | 'sighting' | 'found' | 'answer' | 'contact-message'
  /** Null: what it was about is in `record_id`, or nobody has an account. */
  target_id: string | null
  /** The decision, notification or breed edit that the action wrote. */
  record_id: string | null
  created_at: number
}
