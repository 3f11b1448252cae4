// Messages between the people of a lost or found dog and who found or saw it.
import type { Generated } from 'kysely'

/**
 * contact: a conversation of a member (the owner of a lost dog, or who says that a found one is theirs) with a finder. It goes with its
 * case or notice, and with the account of either side.
 */
export interface ContactThreadsTable {
  id: string
  /** What it is about: exactly one of both. */
  lost_case_id: string | null
  /** Deleted by `closeThreadsOfFound`: notices are younger than this table, which has no foreign key to them. */
  found_id: string | null
  /** The side with the account. */
  member_id: string
  /** The other side: exactly one of both. The hash is of the secret that the finder's device holds. */
  finder_id: string | null
  secret_hash: string | null
  created_at: number
  latest_at: number
  /** When either side last read it. */
  member_seen_at: Generated<number>
  finder_seen_at: Generated<number>
  /** Who ended it, so that nobody writes any more: `origin` with the deletion of its sighting, until another one is answered. Null: it is open. */
  ended: Generated<'member' | 'finder' | 'admin' | 'origin' | null>
}

export interface ContactMessagesTable {
  id: string
  thread_id: string
  side: 'member' | 'finder'
  text: string
  /** Why it is folded (contact/text-warning.ts); null: it is not. */
  warning: 'money' | 'link' | 'words' | 'phone' | null
  created_at: number
  /** Hash of the thread, the side and their Idempotency-Key; null without one. */
  request_key: Generated<string | null>
}

/** contact: who is mailed about a thread. It goes with the thread. */
export interface ContactMailsTable {
  thread_id: string
  side: 'member' | 'finder'
  /** Of a finder without account; null: the account's own, or the mails were stopped. */
  email: string | null
  /** When an unconfirmed row is deleted. One of stopped mails is kept until the pause after the last mail is over. */
  confirm_until: number | null
  /** Nothing about messages is mailed before. */
  confirmed_at: number | null
  mailed_at: Generated<number>
  created_at: number
}

/** contact: copies of reported messages, which outlive their thread for REPORTED_MESSAGE_DAYS. */
export interface ReportedMessagesTable {
  id: string
  message_id: string
  /** Whose words they are. */
  side: 'member' | 'finder'
  text: string
  /** Null for a finder without account. */
  writer_id: string | null
  reporter_id: string | null
  written_at: number
  created_at: number
}
