// Second opinions on a dog's breed.

import type { Generated } from 'kysely'

/**
 * opinions: a dog whose people ask what breed it is. Without foreign key to `dogs`: a hidden dog is in no list, and its question is
 * there again when it comes back. Every public query joins `dogs`.
 */
export interface OpinionRequestsTable {
  dog_id: string
  asked_at: number
  /** When its people closed the question; null while it is open. The opinions stay for a time, out of sight. */
  closed_at: number | null
}

/** opinions: what breed a member thinks that a dog is. One a member and dog. */
export interface BreedOpinionsTable {
  /** Another one when the member changes their mind. */
  id: string
  dog_id: string
  user_id: string
  breed_slug: string
  /** Why; empty where the member wrote nothing. */
  reason: string
  created_at: number
  /** Why nobody but its member and the admin sees it (db/content.ts); 0 for what everybody sees. */
  hidden: Generated<number>
}
