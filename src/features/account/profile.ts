import type { Dog } from '#features/dogs/dogs.ts'
import type { Member, ProfileTab } from '#features/profiles/profiles.ts'

/** A breed a member has dogs of. */
export interface CollectedBreed {
  slug: string
  name: string
  dogs: number
  /** The newest one's cover. */
  photo_url: string | null
}

/** What a profile's page shows: one of its three tabs is filled. */
export interface ProfileData {
  member: Member
  tab: ProfileTab
  /** The breed search. */
  query: string
  dogs: Dog[]
  /** Those of them that the member who looks likes. */
  liked: ReadonlySet<string>
  breeds: CollectedBreed[]
  nextCursor: string | null
}
