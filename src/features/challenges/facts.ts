/** What a theme knows of a breed. */
export interface BreedFacts {
  slug: string
  /** Number of the FCI's group; null outside the FCI. */
  group: number | null
  section: string
  purpose: string
  countries: readonly string[]
  /** The kind that portraits are drawn with: «curly», «wire» … */
  coat: string
  ears: string
  tail: string
  muzzle: string
  heightMaxCm: number
  weightMaxKg: number
  /** Whether it is no breed but a mix of any. */
  isMixed: boolean
}

/** What a theme knows of a dog. */
export interface DogFacts {
  breed: BreedFacts
  size: string | null
  /** INE number of the province it was seen in; empty where its zone names none. */
  province: string
  descriptionChars: number
  isAdopted: boolean
  ageMonths: number | null
}
