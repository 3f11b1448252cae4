const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' })

/**
 * Text in Latin letters without control characters or combining marks: each of its code units is one character. A segmenter takes some
 * hundred times as long to say so, and a card counts four texts.
 */
const ONE_UNIT_CHARACTERS = /^[ -~\xA0-\u02FF]*$/

/** The number of characters as a person counts them (grapheme clusters): a flag, a family emoji or «é» is one. */
export function countCharacters(text: string): number {
  if (ONE_UNIT_CHARACTERS.test(text)) return text.length
  let count = 0
  for (const _ of graphemes.segment(text)) count++
  return count
}

/** The first `limit` characters as a person counts them; never cuts an emoji in two. */
export function truncateCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text
  let count = 0
  for (const { index } of graphemes.segment(text)) if (count++ === limit) return text.slice(0, index)
  return text
}

/** More than three combining marks: no living language has them, and piled up they cover the text around. */
const EXCESS_MARKS = /(\p{M}{3})\p{M}+/gu

/**
 * `text` with at most three combining marks after a letter. Call it before `normalize`, which sorts a letter's marks in quadratic
 * time.
 */
export const limitCombiningMarks = (text: string): string => text.replace(EXCESS_MARKS, '$1')

/**
 * `text` without the trailing characters that match `pattern`, which matches one character. A pattern like `/x+$/` takes quadratic
 * time on a long run.
 */
export function trimEndWhile(text: string, pattern: RegExp): string {
  const characters = Array.from(text)
  return characters.slice(0, characters.findLastIndex((character) => !pattern.test(character)) + 1).join('')
}

/** Lower case without accents, for comparisons that ignore them. `ñ` becomes `n`. */
export function foldText(text: string): string {
  return limitCombiningMarks(text).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
