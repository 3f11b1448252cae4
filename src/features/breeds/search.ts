import { foldText } from '#lib/text/text.ts'

/** Keeps `ñ` as a letter of its own: someone who types it means it (docs/product.md §17.2). */
const foldKeepingEnye = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .split('ñ')
    .map((part) => foldText(part))
    .join('ñ')

/** 0 the whole name, 1 its beginning, 2 the beginning of a word, 3 inside a word, -1 nowhere. */
function matchRank(name: string, text: string): number {
  if (name === text) return 0
  if (name.startsWith(text)) return 1
  if (name.split(/[\s-]+/).some((_, i, words) => words.slice(i).join(' ').startsWith(text))) return 2
  return name.includes(text) ? 3 : -1
}

const normaliseSpaces = (text: string) => text.trim().replace(/[\s-]+/g, ' ')

/**
 * The names that hold `text`, best first: accents and case aside, but a name with the very letters typed goes before
 * one without, and a beginning before a middle. Equals keep the order of `names`. An empty text gives all of them.
 */
export function searchBreeds(text: string, names: readonly string[]): string[] {
  const typed = normaliseSpaces(text).normalize('NFC').toLowerCase()
  if (!typed) return [...names]
  const folded = foldText(typed)
  const kept = foldKeepingEnye(typed)
  return names
    .map((name, index) => {
      const tidied = normaliseSpaces(name)
      return {
        name,
        index,
        place: matchRank(foldText(tidied), folded),
        enye: foldKeepingEnye(tidied).includes(kept) ? 0 : 1,
        accents: tidied.normalize('NFC').toLowerCase().includes(typed) ? 0 : 1,
      }
    })
    .filter((hit) => hit.place >= 0)
    .sort((a, b) => a.enye - b.enye || a.place - b.place || a.accents - b.accents || a.index - b.index)
    .map((hit) => hit.name)
}
