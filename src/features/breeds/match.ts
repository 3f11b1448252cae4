import { foldText } from '#lib/text/text.ts'
import { MIXED_BREED, MIXED_SLUG, normaliseBreed } from './breeds.ts'

/** What breed texts are compared by (docs/product.md §26.3): case, accents, punctuation and spaces aside. «Shar-Pei» meets «shar pei». */
export const breedKey = (text: string): string => foldText(text).replace(/[^a-z0-9]/g, '')

export interface ResolvedBreed {
  /** As shown: the catalogue's name, or what the person wrote. */
  name: string
  /** The catalogue breed it counts, filters and links as. */
  slug: string
}

/** Texts and the catalogue name each stands for. */
export type BreedTable = Readonly<Record<string, string>>

/**
 * Makes the function that finds the catalogue breed of a text. A catalogue name always wins; then `tables`, first one
 * first. A text in `ambiguous` could mean several breeds: guessing one would put a dog in the wrong place of the album,
 * so it stays as written and counts as Mestizo, like everything that nothing resolves (docs/product.md §1.3).
 */
export function breedResolver(
  names: readonly string[],
  tables: readonly BreedTable[],
  ambiguous: readonly string[] = [],
): (text: string) => ResolvedBreed {
  const known = new Map<string, string | null>(names.map((name) => [breedKey(name), name]))
  const add = (text: string, name: string | null) => {
    const key = breedKey(text)
    if (key && !known.has(key)) known.set(key, name)
  }
  for (const text of ambiguous) add(text, null)
  for (const table of tables) for (const [text, name] of Object.entries(table)) add(text, name)

  return (text) => {
    const name = known.get(breedKey(text))
    if (name) return { name, slug: normaliseBreed(name) }
    return { name: text.trim() || MIXED_BREED, slug: MIXED_SLUG }
  }
}
