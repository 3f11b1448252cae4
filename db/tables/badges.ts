// Badges and the week's challenges.

/** badges: what a member has of each badge. `dog_id` is the dog that earned it, and the row goes with it. */
export interface BadgesTable {
  user_id: string
  /** A key of `BADGES` (badges/badge-list.ts). */
  badge: string
  /** How many of what it takes, at least one and at most its target. */
  progress: number
  /** Null until it is earned, as `earned_at`. */
  dog_id: string | null
  /** When that dog was added. */
  earned_at: number | null
}

/** badges: who did a week's challenge, by their first dog that fits. */
export interface ChallengeEntriesTable {
  /** Weeks since the first challenge (challenges/weeks.ts). */
  week: number
  user_id: string
  dog_id: string
  /** When the dog was added. */
  joined_at: number
}
