import { paths } from '#lib/paths.ts'

// Not in lib/paths.ts, which every page loads: only the server writes these addresses.

/** The page that asks before the dog is deleted. */
export const deletionPath = (dogId: string): string => `${paths.dogById(dogId)}/eliminar`

/** The member's own profile after a dog of that name was deleted. */
export const profileAfterDeletion = (name: string): string =>
  `${paths.profile}?${new URLSearchParams({ eliminado: name })}`

/** What the form that deletes a dog shows of it. */
export interface DeletableDog {
  id: string
  name: string
  breed: string
  path: string
  /** The cover's URL; of a quarantined dog the one that its participants may load. */
  photoUrl: string
}
