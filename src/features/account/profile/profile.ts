import type { Dog } from '#features/dogs/dogs.ts'
import type { Member, ProfileTab } from '#features/profiles/profiles.ts'

/** Data of a profile's page; `dogs` are those of the tab «perros» or «likes». */
export interface ProfileData {
  member: Member
  tab: ProfileTab
  dogs: Dog[]
  /** Ids of the dogs that the viewer likes. */
  liked: ReadonlySet<string>
  nextCursor: string | null
}
