import type { Dog } from '#features/dogs/dogs.ts'

/** The fragment of a dog's landing. */
export const landingPath = (dogId: string): string => `/fragments/cromo/${dogId}`

export interface Landing {
  dog: Dog
  /** The breed's number in the album, and how many of all breeds the member has now; null for a dog outside of the album. */
  place: { number: number; breeds: number; total: number } | null
  /** The member discovered the dog and does not own it. */
  isDiscovery: boolean
}
