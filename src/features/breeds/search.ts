import { foldText } from '#lib/text/text.ts'

/** Folds accents but keeps `ñ` as a letter of its own: a typed `ñ` is meant (docs/product.md §17.2). */
const foldKeepingEnye = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .split('ñ')
    .map((part) => foldText(part))
    .join('ñ')

/** Where `name` matches: 0 as a whole, 1 at its beginning, 2 at the beginning of a word, 3 inside a word, -1 nowhere. */
function matchRank(name: string, text: string): number {
  if (name === text) return 0
  if (name.startsWith(text)) return 1
  if (name.split(/[\s-]+/).some((_, i, words) => words.slice(i).join(' ').startsWith(text))) return 2
  return name.includes(text) ? 3 : -1
}

const normaliseSpaces = (text: string) => text.trim().replace(/[\s-]+/g, ' ')

/**
 * The names that contain `text` without regard to accents and case, best first: `ñ` as typed before `n`, then by position, then
 * accents as typed. Equals keep the order of `names`. An empty text returns all of them.
 */
export function searchBreeds(text: string, names: readonly string[]): string[] {
  const typed = normaliseSpaces(text).normalize('NFC').toLowerCase()
  if (!typed) return [...names]
  const folded = foldText(typed)
  const foldedWithEnye = foldKeepingEnye(typed)
  return names
    .map((name, index) => {
      const spaced = normaliseSpaces(name)
      return {
        name,
        index,
        rank: matchRank(foldText(spaced), folded),
        enye: foldKeepingEnye(spaced).includes(foldedWithEnye) ? 0 : 1,
        accents: spaced.normalize('NFC').toLowerCase().includes(typed) ? 0 : 1,
      }
    })
    .filter((hit) => hit.rank >= 0)
    .sort((a, b) => a.enye - b.enye || a.rank - b.rank || a.accents - b.accents || a.index - b.index)
    .map((hit) => hit.name)
}
