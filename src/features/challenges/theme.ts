import type { DogFacts } from './facts.ts'
import type { Motif } from './motifs.ts'

/** What a week asks for. */
export interface Theme {
  id: string
  title: string
  /** What counts, in a sentence. */
  text: string
  motif: Motif
  fits: (dog: DogFacts) => boolean
}

type Fits = Theme['fits']

export const doesWork =
  (pattern: RegExp): Fits =>
  ({ breed }) =>
    pattern.test(breed.purpose)
/** By its work, or by its name: some herd today. */
export const isWaterDog: Fits = ({ breed }) =>
  /agua|acuática|nutria|pato|pesca|pantano/.test(breed.purpose) || /de-agua/.test(breed.slug)
export const isOfGroup =
  (group: number): Fits =>
  ({ breed }) =>
    breed.group === group
export const isOfSection =
  (pattern: RegExp): Fits =>
  ({ breed }) =>
    pattern.test(breed.section)
export const hasSize =
  (size: string): Fits =>
  (dog) =>
    dog.size === size
/** A mix may have any coat, ears or muzzle: the catalogue does not know this one's. */
const ofBreed =
  (fits: Fits): Fits =>
  (dog) =>
    !dog.breed.isMixed && fits(dog)
export const hasCoat = (...coats: string[]): Fits => ofBreed(({ breed }) => coats.includes(breed.coat))
export const hasEars = (...ears: string[]): Fits => ofBreed(({ breed }) => ears.includes(breed.ears))
export const hasTail = (tail: string): Fits => ofBreed(({ breed }) => breed.tail === tail)
export const hasMuzzle = (muzzle: string): Fits => ofBreed(({ breed }) => breed.muzzle === muzzle)
export const isShortLegged: Fits = ofBreed(({ breed }) => breed.heightMaxCm <= 33 && breed.weightMaxKg >= 10)
export const comesFrom =
  (...countries: string[]): Fits =>
  ({ breed }) =>
    breed.countries.some((country) => countries.includes(country))
export const isSeenIn =
  (...provinces: string[]): Fits =>
  (dog) =>
    provinces.includes(dog.province)
