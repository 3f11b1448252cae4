import { CARD_STYLE_LABELS, formatDogAge } from '#features/dogs/card/card.ts'
import { type Dog, displayName } from '../dogs.ts'
import { formatNumber } from '../list/stats.ts'

/** The number in a stored path, `toby-2` of `toby`: 2; null for the first of its name. */
export function pathNumber(dog: Pick<Dog, 'path'>, baseSlug: string): number | null {
  const slug = dog.path.split('/').at(-1)!
  const match = slug.startsWith(`${baseSlug}-`) ? /^\d+$/.exec(slug.slice(baseSlug.length + 1)) : null
  return match ? Number(match[0]) : null
}

const nameWithNumber = (dog: Dog, number: number | null) =>
  `${displayName(dog.name)}${number === null ? '' : ` ${number}`}`

/** `Toby, Beagle`; a namesake carries its number: `Toby 2, Beagle`, so that no two dogs are called alike. */
export const dogFullName = (dog: Dog, number: number | null): string => `${nameWithNumber(dog, number)}, ${dog.breed}`

/** `Toby, Beagle | Perrario` (docs/product.md §2.4). */
export const dogTitle = (dog: Dog, number: number | null): string => `${dogFullName(dog, number)} | Perrario`

/** Name, age, weight and card type in a sentence, for search results and share cards (docs/product.md §5.5). */
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
