// The years that members and the community look back on, and «Tal día».

/** years: a member's year as it was computed last. It goes with any dog or member that it names, and is computed again. */
export interface MemberYearsTable {
  user_id: string
  year: number
  /** What the figures were computed from (features/years/summary.server.ts): they hold for as long as it is the same. */
  stamp: string
  /** JSON: counts, slugs of breeds and numbers of provinces. */
  figures: string
  first_dog_id: string | null
  last_dog_id: string | null
  /** The dog with most likes of the year. */
  liked_dog_id: string | null
  /** The member who gave most of them. */
  fan_id: string | null
  computed_at: number
}

/** years: the community's year. */
export interface CommunityYearsTable {
  year: number
  /** JSON: counts, by breed, province and month. */
  figures: string
  computed_at: number
}
