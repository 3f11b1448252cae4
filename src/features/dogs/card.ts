import { ageInMonths, formatAge } from '#lib/age.ts'
import { countCharacters } from '#lib/text.ts'
import type { CardStyle, Dog } from './dogs.ts'

/** Names longer than this set name and age on two lines (spec.md §2, Dog card); 20 on the map's carousel. */
export const LONG_NAME = 16
export const LONG_NAME_ON_MAP = 20

export const wrapsName = (name: string, limit = LONG_NAME): boolean => countCharacters(name) > limit

/** The seal on a card that has a style of its own. */
export const SEALS: Record<CardStyle, string> = { holo: 'Holo', platinum: 'Primera de su raza' }

/** «3 años», «8 meses», «4 años 2 meses»; null where no age was given. */
export function shownAge(dog: Pick<Dog, 'age' | 'age_unit'>): string | null {
  const months = ageInMonths(dog.age, dog.age_unit)
  return months === null ? null : formatAge(months)
}
