import type { Dog } from '#features/dogs/dogs.ts'
import type { Member, ProfileTab } from '#features/profiles/profiles.ts'

/** What a profile's page shows; `dogs` are those of the dogs' or the likes' tab. */
export interface ProfileData {
  member: Member
  tab: ProfileTab
  dogs: Dog[]
  /** Those of them that the member who looks likes. */
  liked: ReadonlySet<string>
  nextCursor: string | null
}
