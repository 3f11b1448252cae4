import { paths } from '#lib/paths.ts'

// Not in lib/paths.ts, which every page loads: only the server writes these addresses.

/** The page that asks before the dog is deleted. */
export const deletionPath = (dogId: string): string => `${paths.dogById(dogId)}/eliminar`

/** The member's own profile after a dog was deleted. Without its name: a crafted link must not put words on the page. */
export const profileAfterDeletion = `${paths.profile}?eliminado`

/** What the form that deletes a dog shows of it. */
export interface DeletableDog {
  id: string
  /** As the dog is stored. */
  name: string
  breed: string
  path: string
  /** The cover's URL; of a hidden dog the one that its participants may load. */
  photoUrl: string
}
