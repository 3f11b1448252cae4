import { formatDogAge } from '#features/dogs/card/card.ts'
import type { Dog } from '../dogs.ts'

/** Strips to tear off at the foot of a poster. */
export const STRIP_COUNT = 8

/** What a poster says of a dog below its name: `Beagle, 3 años, tamaño mediano · Sevilla` */
export function posterFacts(dog: Pick<Dog, 'breed' | 'age' | 'age_unit' | 'size' | 'zone'>): string {
  // A number stays with its unit.
  const age = formatDogAge(dog)?.replaceAll(' ', '\u{a0}')
  const facts = [dog.breed, age, dog.size && `tamaño ${dog.size}`].filter(Boolean).join(', ')
  return [facts, dog.zone].filter(Boolean).join(' · ')
}
