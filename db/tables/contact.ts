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
