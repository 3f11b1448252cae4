import { SEALS, shownAge } from '../card.ts'
import { type Dog, shownName } from '../dogs.ts'
import { formatNumber } from '../list/stats.ts'

/** The number in a stored path, `toby-2` of `toby`: 2; null for the first of its name. */
export function pathNumber(dog: Pick<Dog, 'path'>, baseSlug: string): number | null {
  const slug = dog.path.split('/').at(-1)!
  const match = slug.startsWith(`${baseSlug}-`) ? /^\d+$/.exec(slug.slice(baseSlug.length + 1)) : null
  return match ? Number(match[0]) : null
}

/** `Toby, Beagle | Perrario`; a namesake carries its number: `Toby 2, Beagle | Perrario` (decisions.md, Titles). */
export function dogTitle(dog: Dog, number: number | null): string {
  return `${shownName(dog.name)}${number === null ? '' : ` ${number}`}, ${dog.breed} | Perrario`
}

/** Name, age, weight and card type in a sentence, for search results and share cards (spec.md §2, Dog detail). */
export function dogDescription(dog: Dog): string {
  const name = shownName(dog.name)
  const parts = [
    dog.breed,
    shownAge(dog),
    dog.weight !== null && `${formatNumber(dog.weight)} kg`,
    dog.card && `cromo ${dog.card === 'holo' ? SEALS.holo.toLowerCase() : 'platino'}`,
    dog.zone,
  ].filter(Boolean)
  return `${name}: ${parts.join(', ')}. Míralo en Perrario, el álbum de los perros.`
}
