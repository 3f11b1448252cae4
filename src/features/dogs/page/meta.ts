import { CARD_STYLE_LABELS, formatDogAge } from '#features/dogs/card/card.ts'
import { type Dog, displayName } from '../dogs.ts'
import { formatNumber } from '../list/stats.ts'

/** The number in a dog's path: 2 for `toby-2` with the base slug `toby`; null for the first of its name. */
export function pathNumber(dog: Pick<Dog, 'path'>, baseSlug: string): number | null {
  const slug = dog.path.slice(dog.path.lastIndexOf('/') + 1)
  const match = slug.startsWith(`${baseSlug}-`) ? /^\d+$/.exec(slug.slice(baseSlug.length + 1)) : null
  return match ? Number(match[0]) : null
}

const nameWithNumber = (dog: Dog, number: number | null) =>
  `${displayName(dog.name)}${number === null ? '' : ` ${number}`}`

/** `Toby, Beagle`; a namesake has its number, `Toby 2, Beagle`, so that titles are unique. */
export const dogFullName = (dog: Dog, number: number | null): string => `${nameWithNumber(dog, number)}, ${dog.breed}`

/** `Toby, Beagle | Perrario` (docs/product.md §2.4). */
export const dogTitle = (dog: Dog, number: number | null): string => `${dogFullName(dog, number)} | Perrario`

/** A sentence with name, breed, age, weight, card and zone, for search results and share cards (docs/product.md §5.5). */
export function dogDescription(dog: Dog, number: number | null = null): string {
  const name = nameWithNumber(dog, number)
  const parts = [
    dog.breed,
    formatDogAge(dog),
    dog.weight !== null && `${formatNumber(dog.weight)} kg`,
    dog.card && `cromo ${dog.card === 'holo' ? CARD_STYLE_LABELS.holo.toLowerCase() : 'platino'}`,
    dog.zone,
  ].filter(Boolean)
  return `${name}: ${parts.join(', ')}. Míralo en Perrario, el álbum de los perros.`
}

/** The line below the name on a poster: `Beagle, 3 años, tamaño mediano · Sevilla` */
export function posterFacts(dog: Pick<Dog, 'breed' | 'age' | 'age_unit' | 'size' | 'zone'>): string {
  // Non-breaking spaces keep a number with its unit.
  const age = formatDogAge(dog)?.replaceAll(' ', '\u{a0}')
  const facts = [dog.breed, age, dog.size && `tamaño ${dog.size}`].filter(Boolean).join(', ')
  return [facts, dog.zone].filter(Boolean).join(' · ')
}
