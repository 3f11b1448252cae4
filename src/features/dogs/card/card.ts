import { ageInMonths, formatAge } from '#lib/age.ts'
import { countCharacters } from '#lib/text/text.ts'
import type { CardStyle, Dog } from '#features/dogs/dogs.ts'

/** Name and age together longer than this take two lines (docs/product.md §4.3); 20 on the map's carousel. */
export const ONE_LINE_TITLE_MAX_CHARS = 16
export const MAP_ONE_LINE_TITLE_MAX_CHARS = 20

/** Whether name and age take two lines; `limit` is in characters of both together. */
export const isTwoLineTitle = (name: string, age: string | null, limit = ONE_LINE_TITLE_MAX_CHARS): boolean =>
  countCharacters(name) + countCharacters(age ?? '') > limit

/** The label of a special card. */
export const CARD_STYLE_LABELS: Record<CardStyle, string> = { holo: 'Holo', platinum: 'Primera de su raza' }

/** «3 años», «8 meses», «4 años 2 meses»; null where no age was given. */
export function formatDogAge(dog: Pick<Dog, 'age' | 'age_unit'>): string | null {
  const months = ageInMonths(dog.age, dog.age_unit)
  return months === null ? null : formatAge(months)
}
