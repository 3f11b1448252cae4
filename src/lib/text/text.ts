const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' })

/** The number of characters as a person counts them (grapheme clusters): a flag, a family emoji or «é» is one. */
export function countCharacters(text: string): number {
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

/** Line breaks of any kind: a form sends CRLF, and pasted text may have others. */
const LINE_BREAK = /\r\n?|[\u2028\u2029]/g
/** Control characters other than line breaks and tabs, and bidirectional marks, which may reverse the text after them. */
const INVISIBLE = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu
/** Blanks, and combining marks without a letter. */
const BLANK = /[\s\p{Cc}\p{Cf}\p{M}\p{Z}\u115F\u1160\u2800\u3164\uFFA0]/gu

/** Whether nothing of the text is visible. */
const isBlank = (text: string): boolean => text.replace(BLANK, '') === ''

/**
 * Typed text as it is stored: well-formed, line breaks as LF, without invisible characters and piles of combining marks, trimmed;
 * '' where nothing of it is visible.
 */
export function normaliseText(typed: string): string {
  const text = limitCombiningMarks(typed.toWellFormed())
    .replace(LINE_BREAK, '\n')
    .replace(INVISIBLE, (c) => (c === '\n' || c === '\t' ? c : ''))
    .trim()
  return isBlank(text) ? '' : text
}

/** Characters of a dog's text that are stored (docs/product.md §22.4). */
export const SANITISED_MAX_CHARS = 1000

/** The text sanitiser of docs/product.md §22.4: trim, strip < and >, cut to 1000 characters. */
export function sanitise(text: string): string {
  return normaliseText(truncateCharacters(text.trim().replace(/[<>]/g, ''), SANITISED_MAX_CHARS))
}

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
