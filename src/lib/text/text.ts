const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' })

/** How many characters a person would count: a flag, a family emoji or «é» is one. */
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

/** Marks that letters of living languages carry, and no more: piled up they cover what stands around them. */
const EXCESS_MARKS = /(\p{M}{3})\p{M}+/gu

/**
 * `text` with at most three marks behind a letter. To be said before `normalize`, which sorts the marks of a letter: of thousands
 * that takes as many steps as their square.
 */
export const limitCombiningMarks = (text: string): string => text.replace(EXCESS_MARKS, '$1')

/** Line ends of any kind: a form sends CRLF, and what is pasted brings its own. */
const LINE_BREAK = /\r\n?|[\u2028\u2029]/g
/** Control characters (line breaks and tabs are text), and direction marks, which may turn all that follows. */
const INVISIBLE = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu
/** Blanks, and marks without a letter to stand on. */
const BLANK = /[\s\p{Cc}\p{Cf}\p{M}\p{Z}\u115F\u1160\u2800\u3164\uFFA0]/gu

/** A text of which nothing would be seen says nothing. */
const isBlank = (text: string): boolean => text.replace(BLANK, '') === ''

/**
 * What a person typed, as every text is kept: well-formed, line ends as LF, without the characters that nobody types and
 * nobody sees, without piles of marks, trimmed; '' where nothing would be seen of it.
 */
export function normaliseText(typed: string): string {
  const text = limitCombiningMarks(typed.toWellFormed())
    .replace(LINE_BREAK, '\n')
    .replace(INVISIBLE, (c) => (c === '\n' || c === '\t' ? c : ''))
    .trim()
  return isBlank(text) ? '' : text
}

/** The longest text of a dog that is kept (docs/product.md §22.4). */
export const SANITISED_MAX_CHARS = 1000

/** The text sanitiser of docs/product.md §22.4: trim, strip < and >, cut to 1000 characters. */
export function sanitise(text: string): string {
  return normaliseText(truncateCharacters(text.trim().replace(/[<>]/g, ''), SANITISED_MAX_CHARS))
}

/**
 * `text` without the characters at its end that `isGone` (a pattern of one character) takes. A pattern like `/x+$/` would
 * read a long run anew from each of its characters.
 */
export function trimEndWhile(text: string, isGone: RegExp): string {
  const signs = Array.from(text)
  return signs.slice(0, signs.findLastIndex((sign) => !isGone.test(sign)) + 1).join('')
}

/** Lower case without accents, for comparing as a person does who does not type accents. `ñ` becomes `n`. */
export function foldText(text: string): string {
  return limitCombiningMarks(text).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
