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
  /** When either side is due a mail; null: none. */
  member_mail_at: Generated<number | null>
  finder_mail_at: Generated<number | null>
}

export interface ContactMessagesTable {
  id: string
  thread_id: string
  side: 'member' | 'finder'
  text: string
  /** Why it is folded (contact/text-warning.ts); null: it is not. */
  warning: 'money' | 'link' | 'words' | 'phone' | null
  created_at: number
}

/** contact: the address that a finder without account left for a thread. No mail about messages goes out before it is confirmed. */
export interface ContactMailsTable {
  thread_id: string
  email: string
  token_hash: string
  created_at: number
  confirmed_at: number | null
}

/** contact: reported messages, as they were written. They outlive their case for EVIDENCE_DAYS. */
export interface ContactEvidenceTable {
  id: string
  message_id: string
  side: 'member' | 'finder'
  /** Null for a finder without account. */
  author_id: string | null
  reporter_id: string | null
  text: string
  /** The messages before it, as the reporter saw them. */
  context: string
  reason: string
  created_at: number
}
