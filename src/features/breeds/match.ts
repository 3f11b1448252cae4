import { foldText } from '#lib/text/text.ts'
import { MIXED_BREED, MIXED_SLUG, normaliseBreed } from './breeds.ts'

/** The key that breed texts are compared by (docs/product.md §26.3), without case, accents, punctuation and spaces: «Shar-Pei» equals «shar pei». */
export const breedKey = (text: string): string => foldText(text).replace(/[^a-z0-9]/g, '')

export interface ResolvedBreed {
  /** As shown: the catalogue's name, or the text as written. */
  name: string
  /** The catalogue breed that it counts, filters and links as. */
  slug: string
}

/** Catalogue name by text. */
export type BreedTable = Readonly<Record<string, string>>

/**
 * Builds the function that resolves a text to its catalogue breed. A catalogue name has priority; then `tables` in order. A text
 * in `ambiguous` could mean several breeds: guessing would put a dog into the wrong place of the album, so it stays as written
 * and counts as Mestizo, like every unresolved text (docs/product.md §1.3).
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
